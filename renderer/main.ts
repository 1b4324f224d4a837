import { mount } from 'svelte'
import App from './app.svelte'
import { createPage } from './state/page'
import './styles/index.css'

const api = window.indexwatch
if (api === undefined) {
  document.body.textContent = 'This page only works inside the Indexwatch app.'
} else {
  // Widths are reserved for this font; a first picture in another one would jump.
  await document.fonts.load('13px "Inter Variable"').catch(console.warn)
  mount(App, { target: document.body, props: { page: createPage(api) } })
}
