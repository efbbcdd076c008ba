import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import {
  ChainMismatchError,
  createClient,
  custom,
  HttpRequestError,
  InternalRpcError,
  RpcRequestError,
  TimeoutError,
  UserRejectedRequestError,
} from 'viem'
import { signMessage } from 'viem/actions'
import { afterEach, describe, expect, test } from 'vitest'
import {
  ChainNotConfiguredError,
  ConnectorAlreadyConnectedError,
  ConnectorNotFoundError,
  ProviderNotFoundError,
} from 'wagmi'
import { isRejectedByUser, isUnsupported, walletErrorText, walletFailure } from './wallet-error.ts'

type Texts = Record<string, string>
const read = (locale: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `connector.messages.${locale}.json`), 'utf8')) as Texts
const texts = { en: read('en'), 'zh-HK': read('zh-HK') }

afterEach(() => showLocale('zh-HK'))

/** Returns the shown text in both languages. */
function shown(error: unknown): string[] {
  return (['en', 'zh-HK'] as const).map((locale) => {
    showLocale(locale)
    return walletErrorText(error)
  })
}

/** The error of viem for a signature without an account. */
const withoutAccount = await signMessage(createClient({ transport: custom({ request: async () => '0x' }) }), {
  message: 'x',
} as never).catch((error: unknown) => error)

/** Kinds that the libraries do not export. */
const named = (name: string, message = '…', cause?: unknown) => Object.assign(new Error(message, { cause }), { name })
const coded = (code: number, message = 'what the wallet said') => Object.assign(new Error(message), { code })

test('a rejection is recognised in a deeply nested error', () => {
  expect(isRejectedByUser(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 4001 }) }))).toBe(true)
  expect(isRejectedByUser(Object.assign(new Error('no'), { code: 5000 }))).toBe(true)
  expect(isRejectedByUser(new Error('no'))).toBe(false)
})

describe('a code with a meaning for people is shown in their language (§8)', () => {
  for (const [row, code, key] of [
    ['§8.44', 4001, 'connector_refused'],
    ['§8.50', 5000, 'connector_refused'],
    ['§8.45', 4100, 'connector_unauthorised'],
    ['§8.46', 4200, 'connector_unsupported'],
    ['§8.47', 4900, 'connector_lost'],
    ['§8.48', 4901, 'connector_chain_lost'],
    ['§8.49', 4902, 'connector_chain_unknown'],
    ['§8.34', -32601, 'connector_unsupported'],
    ['§8.39', -32002, 'connector_busy'],
    ['§8.41', -32004, 'connector_unsupported'],
    ['§8.42', -32005, 'connector_rate_limited'],
  ] as const) {
    test(`code ${code} shows ${key}`, { tags: [row] }, () => {
      const expected = [texts.en[key], texts['zh-HK'][key]]
      expect(expected[0]).not.toBe(expected[1])
      expect(shown(coded(code))).toEqual(expected)
      // As viem wraps it.
      expect(shown(new Error('outer', { cause: coded(code) }))).toEqual(expected)
    })
  }
})

describe('of any other code the details say more, else the message', () => {
  test.each([-32700, -32600, -32602, -32603, -32000, -32001, -32003, -32006])('shows the details of %i', (code) => {
    expect(shown(coded(code, 'nonce too low'))).toEqual(['nonce too low', 'nonce too low'])
    const wrapped = new InternalRpcError(
      new RpcRequestError({ body: {}, error: { code, message: 'nonce too low' }, url: 'http://x' }),
    )
    expect(shown(wrapped)).toEqual(['nonce too low', 'nonce too low'])
  })

  test('an error’s details override its message', () => {
    expect(walletErrorText(Object.assign(new Error('long story'), { details: 'nonce too low' }))).toBe('nonce too low')
    expect(walletErrorText(new Error('plain'))).toBe('plain')
  })

  test('an error text omits viem’s links and versions', { tags: ['§8.06'] }, () => {
    const error = Object.assign(new Error('Short.\n\nDocs: https://viem.sh\nVersion: viem@2'), {
      shortMessage: 'Short.',
    })
    expect(walletErrorText(error)).toBe('Short.')
  })

  test('an empty error still gets a sentence', { tags: ['§8.07'] }, () => {
    expect(shown(undefined)).toEqual(['Something went wrong', '發生錯誤'])
    expect(shown(new Error(''))).toEqual(['Something went wrong', '發生錯誤'])
  })
})

describe('the wordings of §8 are exact in English, and natural in Chinese', () => {
  for (const [row, english, error, chinese] of [
    ['§8.21', 'Chain not configured.', new ChainNotConfiguredError(), '未設定此網絡。'],
    ['§8.22', 'Connector already connected.', new ConnectorAlreadyConnectedError(), '此錢包已經連接。'],
    [undefined, 'Connector not connected.', named('ConnectorNotConnectedError'), '錢包尚未連接。'],
    [undefined, 'Connector not found.', new ConnectorNotFoundError(), '找不到此錢包。'],
    ['§8.24', 'Provider not found.', new ProviderNotFoundError(), '此瀏覽器內找不到錢包。'],
    [
      '§8.29',
      'The request took too long to respond.',
      new TimeoutError({ body: {}, url: 'http://x' }),
      '要求逾時，未收到回應，請再試一次。',
    ],
    [
      '§8.31',
      'HTTP request failed.',
      new HttpRequestError({ url: 'http://x', status: 502 }),
      '未能連上網絡節點，請稍後再試。',
    ],
    ['§8.30', 'Could not find an Account to execute with this Action', withoutAccount, '找不到執行此操作的帳戶。'],
    [
      '§8.27',
      "The current chain of the connector does not match the connection's chain",
      new ChainMismatchError({ chain: { id: 56, name: 'BNB' } as never, currentChainId: 1 }),
      '錢包目前的網絡與連接時不同。',
    ],
    [
      '§8.28',
      'No URL was provided to the Transport',
      Object.assign(new Error('No URL was provided to the Transport. Please…'), { name: 'UrlRequiredError' }),
      '此網絡未設定節點網址。',
    ],
    [
      undefined,
      'Account not found for connector',
      Object.assign(new Error('Account "0x1" not found for connector "W".'), { name: 'ConnectorAccountNotFoundError' }),
      '此帳戶不屬於已連接的錢包。',
    ],
    [
      undefined,
      'This wallet does not support programmatic chain switching',
      Object.assign(new Error('"W" does not…'), { name: 'SwitchChainNotSupportedError' }),
      '此錢包不支援由網站切換網絡，請在錢包內自行切換。',
    ],
  ] as const) {
    test(english, { tags: row ? [row] : [] }, () => {
      expect(shown(error)).toEqual([english, chinese])
    })
  }

  test('a rate-limited node differs from an unreachable node', () => {
    expect(shown(new HttpRequestError({ url: 'http://x', status: 429 }))[0]).toBe(texts.en.connector_rate_limited)
  })

  test('a rejection is recognised in each form that viem gives it', () => {
    expect(shown(new UserRejectedRequestError(new Error('no')))[0]).toBe(texts.en.connector_refused)
  })

  for (const [english, key] of [
    ['No available wallet found', 'connector_none'],
    ['Address must be a hex value of 20 bytes (40 hex characters)', 'connector_address_not_hex'],
    ['Address must match its checksum counterpart', 'connector_address_checksum'],
  ] as const) {
    test(`the validation text ${english} (§5)`, () => {
      expect(texts.en[key]).toBe(english)
      expect(texts['zh-HK'][key]).not.toMatch(/[a-z]{4}|！|您/)
    })
  }
})

test.each([
  ['a refusal, however deep', new Error('x', { cause: Object.assign(new Error('y'), { code: 4001 }) }), 'rejected'],
  ['too little gas by its name', named('TransactionExecutionError', '', named('InsufficientFundsError')), 'gas'],
  ['too little gas by the words of a node', new Error('insufficient funds for gas * price + value'), 'gas'],
  [
    'too little gas within an estimate that failed',
    named('EstimateGasExecutionError', 'execution reverted', new Error('Insufficient funds for gas * price + value')),
    'gas',
  ],
  [
    'a chain that the wallet does not know',
    Object.assign(new Error('Unrecognized chain ID'), { code: 4902 }),
    'network',
  ],
  ['another chain than asked', named('ChainMismatchError'), 'network'],
  ['a call that the chain would throw out', new Error('execution reverted: EnforcedPause()'), 'reverted'],
  ['a wallet that went away', new Error('The Provider is disconnected'), 'other'],
  ['no error at all', 'what', 'other'],
] as const)('%s', (_name, error, failure) => {
  expect(walletFailure(error)).toBe(failure)
})

test.each([
  ['by its code', Object.assign(new Error('no'), { code: -32601 }), true],
  ['by another, within', new Error('x', { cause: Object.assign(new Error('no'), { code: 4200 }) }), true],
  ['in words', new Error('This device does not support typed data'), true],
  ['not by refusing', Object.assign(new Error('User rejected the request.'), { code: 4001 }), false],
  ['not by going away', new Error('The Provider is disconnected'), false],
] as const)('a wallet says that it knows no such request: %s', (_name, error, unsupported) => {
  expect(isUnsupported(error)).toBe(unsupported)
})
