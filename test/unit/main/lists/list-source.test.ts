import { describe, expect, test } from 'vitest'
import { chosenLists, type ListSource } from '../../../../main/lists/list-source'
import { readListSource } from '../../../../main/lists/read-list-source'

const catalogue = ['BRTI', 'BRR', 'ETHUSD_RTI', 'SOLUSD_RTI'].map((id) => ({ id }))

async function read(text: string): Promise<Exclude<ListSource, unknown[]>> {
  const outcome = await readListSource({ source: { text }, catalogue })
  if (!outcome.ok || Array.isArray(outcome.value)) throw new Error('not tickers')
  return outcome.value
}

describe('tickers of a text', () => {
  test('have their index, or one that is spelled alike, or none', async () => {
    const { sections } = await read('BRTI, BTC, BTCUSDT, BRRX, SOMETHING')
    expect(sections[0]?.tickers.map(({ match }) => match)).toEqual([
      { kind: 'known', id: 'BRTI' },
      { kind: 'near', id: 'BRTI', isSame: true },
      { kind: 'near', id: 'BRTI', isSame: false, remark: 'The index is in USD, the ticker in USDT.' },
      { kind: 'near', id: 'BRR', isSame: false, remark: 'Its id is spelled differently.' },
      { kind: 'unknown', remark: 'The provider does not list it.' },
    ])
  })

  test('may be means, with the reason for one that cannot be', async () => {
    const { sections } = await read('###Means\nmean(BRTI, 60),SOL\nmean(BRTI, 9999)')
    expect(sections.at(-1)?.tickers.map(({ match }) => match)).toMatchObject([
      { kind: 'known', id: 'mean(BRTI, 60)' },
      { kind: 'near', id: 'SOLUSD_RTI' },
      { kind: 'unknown', remark: 'Seconds are a whole number from 2 to 3,600, as in mean(BRTI, 60).' },
    ])
  })

  test('are refused before the provider has sent its list, and with more than 1 MB', async () => {
    const early = await readListSource({ source: { text: 'BTC' }, catalogue: [] })
    expect(early).toMatchObject({ problem: { code: 'notReady' } })
    const long = await readListSource({ source: { text: 'BTC\n'.repeat(300_000) }, catalogue })
    expect(long).toMatchObject({ problem: { code: 'tooLarge' } })
  })

  test('become one list with sections, or a list for each section', async () => {
    const source = await read('NOPE,BTC,###Majors,BRTI,ETH,###None,NOPE,###Alts,SOL,BTCUSDT')
    const taken = [0, 1, 2, 3, 4, 5]
    expect(chosenLists(source, { taken, into: 'Mine' }, 'file')).toEqual([
      {
        name: 'Mine',
        entries: [{ id: 'BRTI' }, { id: 'ETHUSD_RTI' }, { id: 'SOLUSD_RTI' }],
        sections: [
          { name: 'Majors', at: 1 },
          { name: 'Alts', at: 2 },
        ],
      },
    ])
    expect(chosenLists(source, { taken }, 'file')).toEqual([
      { name: 'file', entries: [{ id: 'BRTI' }], sections: [] },
      { name: 'Majors', entries: [{ id: 'BRTI' }, { id: 'ETHUSD_RTI' }], sections: [] },
      { name: 'Alts', entries: [{ id: 'SOLUSD_RTI' }, { id: 'BRTI' }], sections: [] },
    ])
  })
})
