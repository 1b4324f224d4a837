/** The man page of the program, and its completion in bash, zsh and fish. The build writes them. */
import { appFlags, commands, flagsOf, links, sentence, type CommandName, type Flag, type Flags } from './command-line'

const names = Object.keys(commands) as CommandName[]
const summaryOf = (name: CommandName) => commands[name].summary

/** By their paths below `share` of the build. */
export function commandFiles(): Record<string, string> {
  return {
    'indexwatch.1': manPage(),
    'completion.bash': bashCompletion(),
    'completion.zsh': zshCompletion(),
    'completion.fish': fishCompletion(),
  }
}

/** A flag as it is typed, up to its value. */
function typed(name: string, { value = '' }: Flag): string {
  return `--${name}${value.startsWith('=') ? '=' : ''}`
}

const placeholder = ({ value = '' }: Flag) => value.slice(1)

function bashCompletion(): string {
  const all = [appFlags, ...names.map((name) => commands[name].flags)].flatMap((flags: Flags) => Object.entries(flags))
  const valued = all.filter(([, { value }]) => value?.startsWith(' '))
  const choices = valued.flatMap(([name, { choices: words }]) =>
    words === undefined ? [] : [`    --${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word")); return ;;`],
  )
  const free = valued.filter(([, flag]) => flag.choices === undefined && flag.names === undefined)
  const files = valued.filter(([, flag]) => flag.names !== undefined)
  const words = (name?: CommandName) =>
    Object.entries(flagsOf(name))
      .map(([flag, described]) => typed(flag, described))
      .join(' ')
  const either = (flags: typeof all) => [...new Set(flags.map(([name]) => `--${name}`))].join('|')
  return `# Completion of indexwatch in bash.
_indexwatch() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= each words
  COMPREPLY=()
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $each in ${names.join('|')}) command=$each; break ;; esac
  done
  case $before in
${choices.join('\n')}
    ${either(free)}) return ;;
    ${either(files)}|=) compopt -o default; return ;;
  esac
  case $command in
${names.map((name) => `    ${name}) words='${words(name)}' ;;`).join('\n')}
    *) words='${names.join(' ')} ${words()}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case \${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
}
complete -F _indexwatch indexwatch
`
}

/** A text inside single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", String.raw`'\''`)

function zshAction({ choices, names: named }: Flag): string {
  if (choices !== undefined) return `(${choices.join(' ')})`
  if (named === undefined) return ' '
  return named === 'folder' ? '_files -/' : '_files'
}

function zshCompletion(): string {
  const spec = ([name, flag]: [string, Flag]) => {
    const help = quoted(flag.help).replaceAll(/[[\]:]/g, String.raw`\$&`)
    const value = flag.value === undefined ? '' : `:${placeholder(flag)}:${zshAction(flag)}`
    // `=-` is a value that must follow in the same word.
    const joined = flag.value?.startsWith('=') === true ? '-' : ''
    return `    '${flag.multiple === true ? '*' : ''}${typed(name, flag)}${joined}[${help}]${value}'`
  }
  const specs = (name?: CommandName) => Object.entries(flagsOf(name)).map(spec).join(' \\\n')
  const described = names.map((name) => `${name}\\:"${quoted(summaryOf(name))}"`).join(' ')
  const cases = names.map((name) => `  ${name}) _arguments '1: :' \\\n${specs(name)} ;;`)
  return `#compdef indexwatch
# Completion of indexwatch in zsh.
case \${words[2,CURRENT-1][(r)(${names.join('|')})]} in
${cases.join('\n')}
  *) _arguments '1:command:((${described}))' \\
${specs()} ;;
esac
`
}

function fishCompletion(): string {
  const line = (condition: string, [name, flag]: [string, Flag]) => {
    const choices = flag.choices === undefined ? '' : ` -a '${flag.choices.join(' ')}'`
    const about = `-d '${quoted(flag.help)}'`
    // As an argument, because fish would put a blank after an option with a value.
    if (flag.value?.startsWith('=') === true) return `complete -c indexwatch -n '${condition}' -a --${name}= ${about}`
    const takes = flag.value === undefined ? '' : flag.names === undefined ? ' -x' : ' -r -F'
    return `complete -c indexwatch -n '${condition}' -l ${name}${takes}${choices} ${about}`
  }
  const flagsWith = (condition: string, flags: Flags) => Object.entries(flags).map((entry) => line(condition, entry))
  const own = names.filter((name) => !commands[name].takesAppFlags)
  return `# Completion of indexwatch in fish.
complete -c indexwatch -f
${[
  ...names.map((name) => `complete -c indexwatch -n __fish_use_subcommand -a ${name} -d '${quoted(summaryOf(name))}'`),
  ...flagsWith(`not __fish_seen_subcommand_from ${own.join(' ')}`, appFlags),
  ...names.flatMap((name) => flagsWith(`__fish_seen_subcommand_from ${name}`, commands[name].flags)),
].join('\n')}
`
}

/** A text in the language of man pages. */
const roff = (text: string) =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll("'", String.raw`\(aq`)

function manPage(): string {
  const flags = (all: Flags) =>
    Object.entries(all)
      .map(([name, flag]) => {
        const value = flag.value === undefined ? '' : `${roff(flag.value.charAt(0))}\\fI${roff(placeholder(flag))}\\fR`
        return `.TP\n\\fB\\-\\-${roff(name)}\\fR${value}\n${roff(flag.help)}`
      })
      .join('\n')
  const synopsis = names.map((name) => `.br\n.B indexwatch ${name}\n.RI [ FLAGS ]`).join('\n')
  const parts = names.map((name) => {
    const { summary, flags: own, takesAppFlags } = commands[name]
    const list = Object.keys(own).length === 0 ? '' : `\n${flags(own)}`
    return `.SS indexwatch ${name}\n${roff(sentence(summary))}${takesAppFlags ? ' The options above work too.' : ''}${list}`
  })
  return `.TH INDEXWATCH 1 "" "" "User Commands"
.SH NAME
indexwatch \\- desktop watchlist for crypto indices
.SH SYNOPSIS
.B indexwatch
.RI [ FLAGS ]
.RI [ LINK ]
${synopsis}
.SH DESCRIPTION
Shows live values of crypto indices as published and notifies when a level is reached.
It sits in the tray. Started again, it opens the window of the running one.
Until a connection is set up it shows the demo service that it brings along.
.PP
.I LINK
opens what it names: ${roff(links)}.
.SH OPTIONS
${flags(appFlags)}
.SH COMMANDS
${parts.join('\n')}
.SH EXIT STATUS
.TP
.B 0
It was quit, or another one is running already.
.TP
.B 1
A fault, or an export that was not possible.
.TP
.B 2
It refused to start, and said why.
.TP
.B 3
The provider refused the keys of a watch.
.TP
.B 130
An export was cancelled.
.SH FILES
.TP
.I ~/.config/Indexwatch
Settings, lists, values, alerts and the log. Purging the package leaves it.
.TP
.I /usr/lib/systemd/user/indexwatch.service
A watch as a service: systemctl \\-\\-user enable \\-\\-now indexwatch
`
}
