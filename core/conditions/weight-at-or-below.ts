import { weightCondition } from '../evaluation/percent'

export const weightAtOrBelow = weightCondition('at or below', [{ constituent: 'BTC', weightPercent: '5.50' }])
