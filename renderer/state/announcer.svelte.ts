/** The text that screen readers announce: connection changes, alerts, outcomes of commands. */
export class Announcer {
  text = $state('')

  /** Announces `text`, also if it equals the previous announcement. */
  say(text: string): void {
    this.text = this.text === text ? `${text}\u00a0` : text
  }
}
