// @ts-check
/// <reference lib="dom" />
const { ipcRenderer } = require('electron')

new PerformanceObserver((entries) => {
  for (const { name, startTime } of entries.getEntries()) {
    if (name === 'first-paint') ipcRenderer.send('bench:line', { paint: performance.timeOrigin + startTime })
  }
}).observe({ type: 'paint', buffered: true })
