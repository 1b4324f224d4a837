import { describe, expect, test } from 'vitest'
import { linkAmong, readDeepLink } from '../../../../main/desktop/deep-link'

describe('a link', () => {
  test.each([
    ['indexwatch://index/BRTI', { to: 'index', indexId: 'BRTI' }],
    ['INDEXWATCH://INDEX/BRTI', { to: 'index', indexId: 'BRTI' }],
    ['indexwatch://index/UC5_RTI_TR/', { to: 'index', indexId: 'UC5_RTI_TR' }],
    ['indexwatch://list/My%20list', { to: 'list', name: 'My list' }],
    ['indexwatch://list/%C3%89quit%C3%A9s%20%2F%20100%25', { to: 'list', name: 'Équités / 100%' }],
    ['indexwatch://alert/new', { to: 'newAlert' }],
    ['indexwatch://alert/new?index=BRTI', { to: 'newAlert', indexId: 'BRTI' }],
    ['indexwatch://alert/new?index=BRTI&level=68500.00', { to: 'newAlert', indexId: 'BRTI', level: '68500.00' }],
  ])('%s is read', (text, link) => expect(readDeepLink(text)).toEqual({ ok: true, value: link }))

  test.each([
    'indexwatch:',
    'indexwatch://',
    'indexwatch://index',
    'indexwatch://index/',
    'indexwatch://index/<b>',
    'indexwatch://index/__proto__',
    'indexwatch://index/BRTI/more',
    'indexwatch://index/..%2F..%2Fetc',
    'indexwatch://index/BRTI?level=1',
    'indexwatch://index/BRTI#settings',
    'indexwatch://user:secret@index/BRTI',
    'indexwatch://index:80/BRTI',
    'indexwatch://index/%ff',
    'indexwatch://list/',
    'indexwatch://list/%0A',
    `indexwatch://list/${'x'.repeat(61)}`,
    `indexwatch://list/${'x'.repeat(600)}`,
    'indexwatch://alert/delete?index=BRTI',
    'indexwatch://alert/new/BRTI',
    'indexwatch://alert/new?index=<b>',
    'indexwatch://alert/new?index=BRTI&index=NCI',
    'indexwatch://alert/new?index=BRTI&level=1,5',
    'indexwatch://alert/new?index=BRTI&level=',
    'indexwatch://alert/new?index=BRTI&webhookUrl=https://example.com',
    'indexwatch://quit',
    'indexwatch://settings',
    'https://index/BRTI',
    'not a link',
  ])('%s is refused with the reason', (text) =>
    expect(readDeepLink(text)).toMatchObject({
      ok: false,
      problem: { code: 'badLink', message: expect.stringMatching(/^The link was not opened: .+\.$/) as string },
    }),
  )
})

test('finds a link at any place among the arguments', () => {
  expect(linkAmong(['indexwatch', '--allow-file-access-from-files', 'indexwatch://index/BRTI', '.'])).toBe(
    'indexwatch://index/BRTI',
  )
  expect(linkAmong(['indexwatch', '--hidden', '/home/indexwatch:/x'])).toBeUndefined()
})
