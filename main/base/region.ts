/** How numbers are written in the user's region. */
export type DecimalSign = '.' | ','

/** The decimal sign of the locale that the environment names, else of the system's locale, such as `de-DE`. */
export function decimalSignOf(env: Record<string, string | undefined>, systemLocale?: string): DecimalSign {
  const names = [env['LC_ALL'], env['LC_NUMERIC'], env['LANG'], systemLocale]
  const named = names.find((each) => each !== undefined && each !== '')
  // As in de_DE.UTF-8 or ca_ES@valencia.
  const locale = named?.replace(/[.@].*$/, '').replaceAll('_', '-')
  if (locale === 'C' || locale === 'POSIX') return '.'
  try {
    return signIn(locale)
  } catch {
    // Not a locale.
    return signIn(undefined)
  }
}

const signIn = (locale: string | undefined): DecimalSign =>
  new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(1.5).includes(',') ? ',' : '.'
