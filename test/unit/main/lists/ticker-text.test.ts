import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTickerText } from '../../../../main/lists/ticker-text'
import { examples } from '../../../support/examples'
import { valueOf } from '../../../support/value-of'

const read = (text: string) => valueOf(readTickerText(text))

/** Section names with their tickers, each as `line text`. */
function shape(text: string): Record<string, string[]> {
  const { sections } = read(text)
  return Object.fromEntries(
    sections.map(({ name = '', tickers }) => [name, tickers.map((ticker) => `${ticker.line} ${ticker.text}`)]),
  )
}

const unread = (text: string) => read(text).unread.map(({ line, text: what, reason }) => [line, what, reason])

describe('a list of TradingView', () => {
  test('has sections in one row or on lines of their own', () => {
    const one = '###Majors,COINBASE:BTCUSD,BITSTAMP:ETHUSD,### Others,KRAKEN:SOLUSD, BINANCE:DOGEUSDT.P'
    expect(shape(one)).toEqual({
      Majors: ['1 COINBASE:BTCUSD', '1 BITSTAMP:ETHUSD'],
      Others: ['1 KRAKEN:SOLUSD', '1 BINANCE:DOGEUSDT.P'],
    })
    const lines = '###SECTION Majors\r\n\r\nCOINBASE:BTCUSD\r\nBITSTAMP:ETHUSD\r\n###Others\r\nKRAKEN:SOLUSD'
    expect(shape(lines)).toEqual({ Majors: ['3 COINBASE:BTCUSD', '4 BITSTAMP:ETHUSD'], Others: ['6 KRAKEN:SOLUSD'] })
  })

  test('has tickers before the first section, an empty section, and each ticker once', () => {
    expect(shape('KRAKEN:XBTUSD,###Empty,###Last,KRAKEN:ETHUSD,KRAKEN:XBTUSD')).toEqual({
      '': ['1 KRAKEN:XBTUSD'],
      Empty: [],
      Last: ['1 KRAKEN:ETHUSD'],
    })
  })

  test('has spreads and nameless sections reported', () => {
    expect(unread('KRAKEN:XBTUSD,KRAKEN:XBTUSD/KRAKEN:ETHUSD\n###,A:B-C:D')).toEqual([
      [1, 'KRAKEN:XBTUSD/KRAKEN:ETHUSD', 'A spread of two symbols.'],
      [2, '', 'A section without a name.'],
      [2, 'A:B-C:D', 'A spread of two symbols.'],
    ])
  })
})

describe('a table', () => {
  test('of Yahoo has its symbols once, without lots and cash', () => {
    const yahoo = [
      'Symbol,Current Price,Date,Time,Change,Open,High,Low,Volume,Trade Date,Purchase Price,Quantity,Commission,High Limit,Low Limit,Comment,Transaction Type',
      'BTC-USD,86000.1,2026/11/20,16:00 UTC,1.2,,,,,20250301,40000,0.5,,,,"first, ""best""\nlot",BUY',
      'BTC-USD,86000.1,2026/11/20,16:00 UTC,1.2,,,,,20250401,50000,0.1,,,,,BUY',
      'ETH-USD,3000,2026/11/20,16:00 UTC,1.2,,,,,,,,,,,,',
      '$$CASH_TX,,,,,,,,,20250301,,1000,,,,,DEPOSIT',
    ].join('\r\n')
    expect(shape(yahoo)).toEqual({ '': ['2 BTC-USD', '5 ETH-USD'] })
    expect(unread(yahoo)).toEqual([[6, '$$CASH_TX', 'Cash, not an index.']])
  })

  test('of Portfolio Performance has the ticker, or the ISIN of a security without one', () => {
    const english =
      '\ufeffTicker Symbol;ISIN;Security Name;Currency\r\nBTC;;Bitcoin;USD\r\n;US0378331005;Apple;USD\r\n;;Cash;EUR\r\n'
    expect(shape(english)).toEqual({ '': ['2 BTC', '3 US0378331005'] })
    expect(unread(english)).toEqual([[4, ';;Cash;EUR'.replaceAll(';', ' ').trim(), 'The row has no ticker.']])
    const german = 'Wertpapiername;Ticker-Symbol;WKN;Notiz\nEther;ETH;;"a; b"\n'
    expect(shape(german)).toEqual({ '': ['2 ETH'] })
  })

  test('of Google has its symbols', () => {
    expect(shape('Name,Symbol,Last price\nBitcoin,CURRENCY:BTCUSD,"86,000.10"\n')).toEqual({
      '': ['2 CURRENCY:BTCUSD'],
    })
  })

  test('of this app has its ids', () => {
    expect(
      shape('\ufeffid,name,value,published\r\nBRTI,Bitcoin,79767.34,2026-11-20T16:00:00.000Z\r\nBRTI − BRR,,1.00,\r\n'),
    ).toEqual({
      '': ['2 BRTI', '3 BRTI − BRR'],
    })
  })

  test('without a head has tickers in its first column', () => {
    expect(shape('BTC-USD;86000,1;2026-11-20\nETH-USD;3000,2;2026-11-20')).toEqual({ '': ['1 BTC-USD', '2 ETH-USD'] })
    expect(shape('BTC\t0.5\nETH\t1')).toEqual({ '': ['1 BTC', '2 ETH'] })
  })

  test('for Excel says its separator in the first line', () => {
    expect(shape('sep=;\r\nName;Ticker\r\n"A;B";BTC\r\n')).toEqual({ '': ['3 BTC'] })
  })

  test('with one quotation mark too many loses no line', () => {
    expect(shape('Symbol,Note\nBTC,"open\nETH,x\nSOL,"y"z\n')).toEqual({ '': ['2 BTC', '3 ETH', '4 SOL'] })
  })
})

describe('YAML', () => {
  test('of the program ticker has its groups as sections', () => {
    const yaml = [
      '# options',
      'show-summary: true',
      'groups:',
      '  - name: alts',
      '    watchlist: [SOL-USD, "XRP-USD"]',
      '    holdings:',
      '      - symbol: ADA-USD',
      '        quantity: 3',
      'watchlist:',
      '  - BTC-USD',
      'lots:',
      '  - symbol: "ETH-USD"',
      '    quantity: 2.0',
      '    unit_cost: 3000',
    ].join('\n')
    expect(shape(yaml)).toEqual({
      '': ['10 BTC-USD', '12 ETH-USD'],
      alts: ['5 SOL-USD', '5 XRP-USD', '7 ADA-USD'],
    })
    expect(unread(yaml)).toEqual([[2, 'show-summary', 'Only watchlist, lots and groups are read.']])
  })

  test('may be a list of texts', () => {
    expect(shape('- BTC-USD\n- ETH\n- 1INCH\n- {a: b}')).toEqual({ '': ['1 BTC-USD', '2 ETH', '3 1INCH'] })
    expect(shape('["BTC", "ETH"]')).toEqual({ '': ['1 BTC', '1 ETH'] })
  })

  test('with aliases is read, up to 100 of them, also in a circle', () => {
    expect(shape('watchlist: &a [BTC, ETH]\ngroups:\n  - name: G\n    watchlist: *a')).toMatchObject({
      '': ['1 BTC', '1 ETH'],
      G: [],
    })
    expect(shape('- &a [*a]\n- BTC')).toEqual({ '': ['2 BTC'] })
    expect(shape('groups: &g\n  - name: x\n    watchlist: [BTC, *g]\n    groups: *g')).toMatchObject({ x: ['3 BTC'] })
    expect(unread('- BTC\n- *x')).toEqual([[2, '*x', 'An alias without its anchor.']])
    expect(readTickerText(`- &a BTC\n${'- *a\n'.repeat(101)}`)).toMatchObject({
      problem: { code: 'badList', message: 'It has more than 100 aliases. Paste the tickers instead.' },
    })
  })

  test.each([
    ['a tag', '- BTC\n- !!js/function "x"', 2],
    ['an unknown tag', '- !mine BTC', 1],
    ['a fault', 'watchlist:\n  - BTC\n - ETH', 3],
    ['two documents', '---\n- BTC\n---\n- ETH', 3],
  ])('with %s is refused with its line', (_, text, line) => {
    expect(readTickerText(text)).toMatchObject({
      problem: { code: 'badList', message: expect.stringContaining(`Line ${line} is not plain YAML.`) as string },
    })
  })

  test('that nests twenty thousand times is refused', () => {
    expect(readTickerText('['.repeat(20_000))).toMatchObject({ problem: { code: 'badList' } })
  })
})

describe('a plain text', () => {
  test('has tickers between commas, semicolons, blanks and lines', () => {
    expect(shape('BRTI, BRR;NCI\tBTC / USD\r\rBRTI Index ETH\n')).toEqual({
      '': ['1 BRTI', '1 BRR', '1 NCI', '1 BTC / USD', '3 BRTI Index', '3 ETH'],
    })
  })

  test('with a long name or a formula has it as a text of at most 200 characters', () => {
    const { sections } = read(`${'A'.repeat(10_000)}\n=HYPERLINK("http://x.example")\n###${'S'.repeat(10_000)}\nBTC`)
    expect(sections[0]?.tickers.map(({ text }) => text.length)).toEqual([200, 30])
    expect(sections[1]?.name).toHaveLength(60)
  })

  test('has no more tickers than a list can contain, but any number of lines', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `X${at}`).join('\n')
    expect(readTickerText(many(2_001))).toMatchObject({ problem: { code: 'listFull' } })
    expect(readTickerText('###A,B,'.repeat(101))).toMatchObject({ problem: { code: 'listFull' } })
    expect(read(many(2_000)).sections[0]?.tickers).toHaveLength(2_000)
    expect(shape('BTC\n'.repeat(20_000))).toEqual({ '': ['1 BTC'] })
  })

  test.each(['', ' \n\t;,', '# a comment', 'Symbol,Name\n', '###Only a section'])('“%s” has no tickers', (text) => {
    expect(readTickerText(text)).toMatchObject({ problem: { code: 'otherFormat' } })
  })
})

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '###',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '"',
      'BTC',
      'BTC-USD',
      'Symbol',
      'A:B/C:D',
      '- ',
      '[',
      ']',
      '{',
      ':',
    ),
    fc.constantFrom('watchlist:', 'groups:', '&a ', '*a', '86,000.1', '$$CASH_TX', '\u202e', 'sep=;', '---', ' ', '#'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  test('is read or refused with a sentence, without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (any) => {
        const outcome = readTickerText(any)
        if (!outcome.ok) expect(outcome.problem.message).toMatch(/\.$/)
      }),
      { numRuns: examples(3_000) },
    )
  })

  test('has each of its lines taken or reported', () => {
    const word = fc.constantFrom('BTC', 'eth', 'COINBASE:BTCUSD', 'x', 'A:B/C:D', '=1+1', '$$CASH_TX', '\u200b', '5')
    const line = fc.oneof(
      word,
      fc.tuple(word, fc.constantFrom(',', ';', '\t', ' '), word).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (lines, end) => {
          const outcome = readTickerText(lines.join(end))
          if (!outcome.ok) return
          const { sections, unread: reported } = outcome.value
          const tickers = sections.flatMap((section) => section.tickers)
          for (const [at, content] of lines.entries()) {
            const isThere = [...tickers, ...reported].some((each) => each.line === at + 1)
            // Or the line repeats a ticker.
            expect(isThere || tickers.some((each) => content.replace(/\s+/g, ' ').includes(each.text)), content).toBe(
              true,
            )
          }
        },
      ),
      { numRuns: examples(2_000) },
    )
  })
})
