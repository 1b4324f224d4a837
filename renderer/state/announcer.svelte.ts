/** What screen readers read out unasked: connection changes, alerts, the outcome of a command. */
export class Announcer {
  text = $state('')

  /** Says `text`, also when it is what was said last. */
  say(text: string): void {
    this.text = this.text === text ? `${text}\u00a0` : text
  }
}
