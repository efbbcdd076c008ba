const COLOURS: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 36, debug: 90, trace: 90 }

/** Formats a line of the log for a terminal: time, level, message, fields, and the stack of an error below. */
export function prettyLine(line: string): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(line)
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`)
  const head = [time.slice(11, 23), `\u001b[${COLOURS[level] ?? 0}m${level.padEnd(5)}\u001b[0m`, msg, ...rest].join(' ')
  return [head, ...stacksOf(err), ''].join('\n')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function stacksOf(error: { stack?: string; message?: string; cause?: unknown } | undefined): string[] {
  if (!error) return []
  const own = (error.stack ?? error.message ?? '').split('\n').map((each) => `    ${each.trimStart()}`)
  return [...own, ...stacksOf(error.cause as typeof error)]
}
