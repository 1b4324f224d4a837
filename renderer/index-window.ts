import { mount } from 'svelte'
import type { DesktopApi } from '../protocol/commands/contract'
import IndexWindow from './index-window.svelte'
import { createPage } from './state/page'
import './styles/index.css'

const indexId = new URLSearchParams(location.search).get('id')
const desktop = window.indexwatch
if (desktop === undefined || indexId === null) {
  document.body.textContent = 'This page only works inside the Indexwatch app.'
} else {
  const showInMainWindow = (address: string) => desktop.showInMainWindow({ address })
  // The parts of the page send the commands of the main window. Some are others here.
  const ofThisWindow: DesktopApi = {
    ...desktop,
    getSnapshot: () => desktop.getIndexSnapshot({ indexId }),
    followIndices: ({ indexIds }) => desktop.followInWindow({ indexId, indexIds }),
    openIndex: ({ indexId: other }) => showInMainWindow(`index/${encodeURIComponent(other)}`),
  }
  // Comparisons, settings and fixing sheets are views of the main window.
  window.addEventListener('hashchange', () => {
    const address = location.hash.slice(1)
    if (address === '') return
    history.replaceState(null, '', location.pathname + location.search)
    void showInMainWindow(address)
  })
  await document.fonts.load('13px "Inter Variable"').catch(console.warn)
  const page = createPage(ofThisWindow)
  const onclose = () => void desktop.closeIndexWindow({ indexId })
  mount(IndexWindow, { target: document.body, props: { page, indexId, onclose } })
}
