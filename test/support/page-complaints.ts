import type { Page } from '@playwright/test'

/** Chromium warns about frames only. The window's page has the policy as a header. */
const ofFramesAlone = 'An iframe which has both allow-scripts and allow-same-origin'

/** Adds errors of a page, and warnings of its console, to `complaints`. */
export function hearComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !message.text().startsWith(ofFramesAlone)) complaints.push(message.text())
  })
}
