import { mount } from 'svelte'
import Ticker from './ticker.svelte'
import './styles/index.css'

const desktop = window.indexwatch
if (desktop === undefined) {
  document.body.textContent = 'This page only works inside the Indexwatch app.'
} else {
  await document.fonts.load('13px "Inter Variable"').catch(console.warn)
  mount(Ticker, { target: document.body, props: { desktop } })
}
