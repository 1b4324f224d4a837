import { matchTicker } from '../../core/tickers'
import type { TickerImportPreview } from '../../protocol/responses'
import { sampleSnapshot } from './sample-window'

/** The preview of a TradingView list with all that can be in one. */
export function sampleTickers(): TickerImportPreview {
  const { catalogue } = sampleSnapshot().state
  const ticker = (line: number, text: string) => ({ line, text, match: matchTicker(catalogue, text) })
  return {
    importId: 'i1',
    fileName: 'Desk in London.txt',
    name: 'Desk in London',
    sections: [
      {
        name: 'Majors',
        tickers: [ticker(1, 'COINBASE:BTCUSD'), ticker(1, 'BITSTAMP:ETHUSD'), ticker(1, 'BINANCE:SOLUSDT.P')],
      },
      { name: 'Rates and others', tickers: [ticker(2, 'BRR'), ticker(2, 'CME:BTC1!'), ticker(2, 'NASDAQ:AAPL')] },
      { name: 'New', tickers: [ticker(3, 'NQBTC'), ticker(3, 'US0378331005')] },
    ],
    unread: [{ line: 2, text: 'KRAKEN:XBTUSD/KRAKEN:ETHUSD', reason: 'A spread of two symbols.' }],
  }
}
