import type { Page } from '@playwright/test'

/**
 * Tries everything with which a script in the page could run code or leave the page. Returns the attempts that worked.
 */
export async function attack(page: Page, url: string): Promise<string[]> {
  return page.evaluate(async (target) => {
    interface Element {
      src: string
      textContent: string
      innerText: string
      setAttribute: (name: string, value: string) => void
      action: string
      submit: () => void
    }
    const {
      document,
      fetch,
      WebSocket,
      open,
      eval: run,
    } = globalThis as unknown as {
      document: { createElement: (name: string) => Element; body: { append: (element: Element) => void } }
      fetch: (url: string) => Promise<unknown>
      WebSocket: new (url: string) => { onopen: () => void; onerror: () => void }
      open: (url: string) => unknown
      eval: (text: string) => unknown
    }
    const worked: string[] = []
    const tries: [string, () => unknown][] = [
      ['eval', () => run('1')],
      ['fetch', () => fetch(`${target}fetch`)],
      [
        'socket',
        () =>
          new Promise<void>((resolve, reject) => {
            const socket = new WebSocket(`${target.replace('http', 'ws')}socket`)
            socket.onopen = resolve
            socket.onerror = reject
          }),
      ],
      [
        'open',
        () => {
          for (const address of [`${target}open`, 'file:///etc/passwd', 'javascript:1']) {
            if (open(address) !== null) worked.push(`open ${address}`)
          }
          throw new Error('refused')
        },
      ],
    ]
    // The page's policy does not apply to code that the test evaluates, but to code that a timer runs.
    const inPage = (attempt: () => unknown) =>
      new Promise((resolve, reject) => {
        setTimeout(() => {
          new Promise((answer) => answer(attempt())).then(resolve, reject)
        })
      })
    for (const [name, attempt] of tries) {
      try {
        await inPage(attempt)
        worked.push(name)
      } catch {
        // Refused, as expected.
      }
    }
    const add = (tag: string, change: (element: Element) => void) => {
      try {
        const element = document.createElement(tag)
        change(element)
        document.body.append(element)
      } catch {
        // Refused at once, as expected.
      }
    }
    add('script', (element) => (element.textContent = 'globalThis.inlineRan = true'))
    add('script', (element) => (element.src = `${target}script`))
    add('img', (element) => (element.src = `${target}image`))
    add('iframe', (element) => (element.src = `${target}frame`))
    add('webview', (element) => element.setAttribute('src', `${target}webview`))
    add('form', (element) => {
      element.action = `${target}form`
      setTimeout(() => element.submit())
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    if ('inlineRan' in globalThis) worked.push('inline script')
    return worked
  }, url)
}
