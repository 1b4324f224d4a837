import { describe, expect, test } from 'vitest'
import { matchSpelling, matchTicker, tickersIn } from '../../../core/tickers'
import known from '../../../renderer/views/indices/known-indices.json' with { type: 'json' }

const catalogue: { id: string; codes?: string[] }[] = known
const match = (text: string) => matchTicker(catalogue, text)

/** The id alone, with `?` if it is another thing than what is written. */
function idOf(text: string): string {
  const found = match(text)
  if (found.kind === 'unknown') return '–'
  return found.kind === 'near' && !found.isSame ? `${found.id}?` : found.id
}

describe('a written ticker', () => {
  test('that is an id in any case, or within what terminals write, is known', () => {
    const ways = ['BRTI', 'brti', '.BRTI', 'BRTI Index', ' "brti" ', 'CF:BRTI', 'BRTI=', "'BRTI"]
    for (const way of ways) expect(match(way), way).toEqual({ kind: 'known', id: 'BRTI' })
    for (const id of ['BRR', 'BRRNY', 'BRRAP', 'NCI', 'NQBTC', 'NQETH', 'ETHUSD_NY', 'USDT']) {
      expect(match(id), id).toEqual({ kind: 'known', id })
    }
  })

  test.each([
    ['BTC XBT BTCUSD BTC-USD BTC/USD BTC_USD XBTUSD XXBTZUSD BTCUSD.P BTC= KXBTC KXBTCD KXBTC15M $BTC', 'BRTI'],
    ['BTC-PERP BTCUSDPERP CURRENCY:BTCUSD COINBASE:BTCUSD', 'BRTI'],
    ['BTCEUR XBTEUR XXBTZEUR BTC/EUR', 'BTCEUR_RTI'],
    ['ETH ETHUSD XETHZUSD ERTI ETHUSDRTI ETHUSD-RTI KXETH KXETHD KXETH15M', 'ETHUSD_RTI'],
    ['ETHEUR', 'ETHEUR_RTI'],
    ['ETHBTC ETH/BTC', 'ETHBTC_USDRTI'],
    ['XDG XDGUSD DOGE KXDOGE KXDOGED', 'DOGEUSD_RTI'],
    ['XRP XXRPZUSD', 'XRPUSD_RTI'],
    ['MATIC MATICUSD POL', 'POLUSD_RTI'],
    ['USDTUSD', 'USDTUSD_RTI'],
    ['USDC USDCUSD', 'USDCUSD_RTI'],
    ['PAXG PAXGUSD', 'PAXGUSD_RTI'],
    ['HYPE HYPEUSD', 'U_HYPEUSD_RTI'],
    ['BTCUSDT BTC-USDC BTCBUSD BINANCE:BTCUSDT.P', 'BRTI?'],
    ['SOLUSDT', 'SOLUSD_RTI?'],
    ['BTC1! BTC=F MBT MBT1!', 'BRR?'],
    ['BFF', 'BRRNY?'],
    ['ETH1! ETH=F', 'ETHUSD_RTI?'],
    ['TON TRX TONUSD GBPUSD BGCI .BXBT .BETH BITCOIN AAPL USD _ - : __proto__ constructor', '–'],
  ])('such as %s is %s', (texts, id) => {
    for (const text of texts.split(' ')) expect(idOf(text), text).toBe(id)
  })

  test.each(
    'SOL XRP DOGE ADA LTC BCH DOT LINK AVAX UNI XLM XTZ HBAR SUI NEAR APT ATOM ALGO AAVE FIL ICP ETC BNB ZEC SHIB PEPE POL'.split(
      ' ',
    ),
  )('%s is its real-time index in dollars', (asset) => {
    for (const text of [asset, `${asset}USD`, `${asset}-USD`, `KRAKEN:${asset}USD`]) {
      expect(match(text), text).toEqual({ kind: 'near', id: `${asset}USD_RTI`, isSame: true })
    }
  })

  test('with words of a terminal is read, but not an index of another provider', () => {
    expect(idOf('XBT Curncy')).toBe('BRTI')
    expect(idOf('XBTUSD Curncy')).toBe('BRTI')
    expect(match('BITCOIN Index')).toEqual({ kind: 'unknown', remark: 'An index of another provider.' })
  })

  test('says what differs from the index', () => {
    expect(match('BTCUSDT')).toMatchObject({ remark: 'The index is in USD, the ticker in USDT.' })
    expect(match('BTC1!')).toMatchObject({ remark: 'A future, which settles to BRR.' })
    expect(match('SOL1!')).toMatchObject({ remark: 'A future, not an index.' })
    expect(match('MATIC')).toMatchObject({ isSame: true, remark: 'MATIC is now POL.' })
  })

  test('counts only if the key lists the index', () => {
    const few = [{ id: 'HYPEUSD_RTI' }, { id: 'U_HYPEUSD_RTI' }, { id: 'TONUSD_RTI' }]
    expect(matchTicker(few, 'HYPE')).toMatchObject({ id: 'HYPEUSD_RTI' })
    expect(matchTicker(few, 'TON')).toMatchObject({ id: 'TONUSD_RTI', isSame: true })
    for (const text of ['BTC', 'BRTI', 'BTC1!', 'ERTI']) expect(matchTicker(few, text).kind).toBe('unknown')
  })

  test('that is a code of the reference data wins over every guess', () => {
    const coded = [{ id: 'BRTI' }, { id: 'ETHUSD_RTI', codes: ['BTC', 'CFETHUSN Index', 'US0378331005', 'B0YBKJ7'] }]
    for (const code of ['BTC', 'CFETHUSN', 'cfethusn index', '.CFETHUSN', 'US0378331005', 'B0YBKJ7']) {
      expect(matchTicker(coded, code), code).toEqual({ kind: 'known', id: 'ETHUSD_RTI' })
    }
  })

  test('with the form of an ISIN or SEDOL is checked', () => {
    expect(match('US0378331005')).toMatchObject({ remark: 'An ISIN that is not in the reference data.' })
    expect(match('US0378331006')).toMatchObject({ remark: 'The check digit of this ISIN is wrong.' })
    expect(match('B0YBKJ7')).toMatchObject({ remark: 'A SEDOL that is not in the reference data.' })
    expect(match('B0YBKJ8')).toMatchObject({ remark: 'The provider does not list it.' })
  })

  test('that is a formula needs both of its indices', () => {
    expect(match('BRTI − BRR')).toEqual({ kind: 'known', id: 'BRTI − BRR' })
    expect(match('BRTI − FOO')).toEqual({ kind: 'unknown', remark: 'The provider does not list FOO.' })
  })

  test('that is a mean needs a real-time index, and its case does not matter', () => {
    const timed = [
      { id: 'BRTI', maxResolution: 'PER_200MS' as const },
      { id: 'BRR', maxResolution: 'DAILY' as const },
    ]
    expect(matchTicker(timed, ' Mean(brti,60) ')).toEqual({ kind: 'known', id: 'mean(BRTI, 60)' })
    for (const [text, remark] of [
      ['mean(FOO, 60)', 'The provider does not list FOO.'],
      ['mean(BRR, 60)', 'BRR publishes less often than each second'],
      ['mean(BRTI, 1)', 'Seconds are a whole number from 2 to 3,600'],
      ['mean(BRTI − BRR, 60)', 'BRTI − BRR is a formula itself'],
    ] as const)
      expect(matchTicker(timed, text)).toMatchObject({ kind: 'unknown', remark: expect.stringContaining(remark) })
  })

  test('with one wrong letter is near the id, as another thing', () => {
    expect(matchSpelling(catalogue, 'BRRNX')).toMatchObject({ kind: 'near', id: 'BRRNY', isSame: false })
    for (const text of ['SOMETHING', 'BAR']) expect(matchSpelling(catalogue, text)).toBeUndefined()
  })
})

test.each([
  ['BTC, ETH;SOL\tXRP', ['BTC', 'ETH', 'SOL', 'XRP']],
  ['BTC ETH  SOL', ['BTC', 'ETH', 'SOL']],
  ['BTC / USD ETH - USD XRP usd', ['BTC / USD', 'ETH - USD', 'XRP usd']],
  ['BRTI Index BRR index XBT Curncy', ['BRTI Index', 'BRR index', 'XBT Curncy']],
  ['BRTI − BRR in bp, NCI', ['BRTI − BRR in bp', 'NCI']],
  ['mean(BRTI, 60), Mean( brr,5 ) ;NCI', ['mean(BRTI, 60)', 'Mean( brr,5 )', 'NCI']],
  ['- BTC', ['BTC']],
  ['2. ETH', ['ETH']],
  [' ,, ; ', []],
])('the line “%s” has its tickers', (line, tickers) => expect(tickersIn(line)).toEqual(tickers))
