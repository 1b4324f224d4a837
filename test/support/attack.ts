import type { Page } from '@playwright/test'

/**
 * Tries everything with which a script in the page could run code or leave the page. Returns the attempts that worked.
 */
export async function attack(page: Page, url: string): Promise<string[]> {
  return page.evaluate(async (target) => {
    const worked: string[] = []
    const tries: [string, () => unknown][] = [
      ['eval', () => window.eval('1') as unknown],
      ['fetch', () => fetch(`${target}fetch`)],
      [
        'socket',
        () =>
          new Promise((resolve, reject) => {
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
    const add = <T extends keyof HTMLElementTagNameMap>(
      tag: T,
      change: (element: HTMLElementTagNameMap[T]) => void,
    ) => {
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
    add('webview' as 'embed', (element) => element.setAttribute('src', `${target}webview`))
    add('form', (element) => {
      element.action = `${target}form`
      setTimeout(() => element.submit())
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    if ('inlineRan' in globalThis) worked.push('inline script')
    return worked
  }, url)
}
