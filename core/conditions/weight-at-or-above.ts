import { weightCondition } from '../evaluation/percent'

export const weightAtOrAbove = weightCondition('at or above', [{ constituent: 'BTC', weightPercent: '60' }])
