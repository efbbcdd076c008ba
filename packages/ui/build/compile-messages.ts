/** A text of a message file, or the two that English tells apart by the number of the variable `plural`. */
export type Message = string | { readonly plural: string; readonly one: string; readonly other: string }

/** `{n}` in a text. */
const VARIABLE = /\{([a-z]\w*)\}/gi

/** The messages of one language by key. */
export type Messages = Readonly<Record<string, Message>>

/**
 * Compiles each message into a typed function in a separate module, so that a screen loads only the texts that it uses.
 *
 * @param languages by name; the order is that of `text` in src/i18n/text.ts.
 * @param textFrom the module with `text` and `plural`, as a compiled message imports it.
 * @returns the content of each module by file name; `index.ts` exports all of them.
 * @throws Error if a language lacks a message, or a text is not well formed.
 * @example compileMessages({ 'zh-HK': { tips_sent: '已送出 {n} 份' }, en: { tips_sent: { plural: 'n', one: '{n} tip sent', other: '{n} tips sent' } } })
 */
export function compileMessages(languages: Readonly<Record<string, Messages>>, textFrom: string): Map<string, string> {
  const modules = new Map<string, string>()
  const keys = [...new Set(Object.values(languages).flatMap((messages) => Object.keys(messages)))].sort()
  for (const key of keys) {
    const messages = Object.entries(languages).map(([language, { [key]: message }]) => {
      if (message === undefined) throw new Error(`the message ${key} has no text in ${language}`)
      return message
    })
    modules.set(`${key}.ts`, compileMessage(key, messages, textFrom))
  }
  modules.set('index.ts', keys.map((key) => `export { ${key} } from './${key}.ts'\n`).join(''))
  return modules
}

/** @param messages the message in each language. */
function compileMessage(key: string, messages: readonly Message[], textFrom: string): string {
  if (!/^[a-z]\w*$/.test(key)) throw new Error(`${key} is no name for a message`)
  const variables = [...new Set(messages.flatMap(variablesOf))].sort()
  const input = variables.length === 0 ? '' : `i: { ${variables.map((name) => `${name}: string | number`).join('; ')} }`
  const helpers = messages.some((message) => typeof message !== 'string') ? 'plural, text' : 'text'
  const texts = messages.map((message) => expressionOf(key, message)).join(', ')
  return `import { ${helpers} } from '${textFrom}'\n\nexport const ${key} = (${input}): string => text(${texts})\n`
}

function expressionOf(key: string, message: Message): string {
  if (typeof message === 'string') return templateOf(key, message)
  const { plural, one, other } = message
  return `plural(i.${plural}, ${templateOf(key, one)}, ${templateOf(key, other)})`
}

/** A text as a template: `{n}` becomes the variable `n`. */
function templateOf(key: string, text: string): string {
  if (/[{}]/.test(text.replaceAll(VARIABLE, '')))
    throw new Error(`the message ${key} has a brace that names no variable`)
  const escaped = text.replaceAll(/[\\`]/g, '\\$&')
  return `\`${escaped.replaceAll(VARIABLE, (_, name) => `\${i.${name}}`)}\``
}

function variablesOf(message: Message): string[] {
  if (typeof message === 'string') return [...message.matchAll(VARIABLE)].map(([, name = '']) => name)
  return [message.plural, ...variablesOf(message.one), ...variablesOf(message.other)]
}
