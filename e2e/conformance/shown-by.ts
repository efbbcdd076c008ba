import type { RowId } from './rows.ts'

/** A test of the unit runner: where it stands, and its whole title with those of the groups around it. */
interface UnitTest {
  readonly file: string
  readonly title: string
}

const WALLET = 'apps/web/src/wallet/wallet-core.test.ts'
const TRANSPORT = 'apps/web/src/wallet/transport.test.ts'
const WALLET_ERRORS = 'apps/web/src/wallet/wallet-error.test.ts'
const CLIENT = 'apps/web/src/api/client.test.ts'
const FORMS = 'apps/web/src/api/form-body.test.ts'
const QUERIES = 'apps/web/src/api/query-client.test.ts'
const ICONS = 'apps/web/src/icons/icon-loader.test.ts'
const ICON_CACHE = 'apps/web/src/icons/icon-cache.test.ts'
const COLOUR = 'apps/web/src/browser/color-mode.test.ts'
const LINKS = 'apps/web/src/browser/external-url.test.ts'
const CONFIG = 'apps/server/src/config/config.routes.test.ts'
const PROFILES = 'apps/server/src/platform/http/outside-local.test.ts'

/** Rows that unit tests show: what no browser can observe, or would need minutes for. */
export const SHOWN_BY: Readonly<Partial<Record<RowId, readonly UnitTest[]>>> = {
  '3.21': [
    { file: PROFILES, title: 'the configuration names the profile and its chain' },
    { file: CONFIG, title: 'the chains are told as wallets know them' },
  ],
  '3.22': [{ file: CONFIG, title: 'the chains are told as wallets know them' }],
  '3.23': [{ file: CONFIG, title: 'the chains are told as wallets know them' }],
  '3.24': [{ file: CONFIG, title: 'the chains are told as wallets know them' }],
  '4.09': [{ file: WALLET, title: 'status (§4) a failed connection returns to connected where one is current' }],
  '4.15': [
    {
      file: WALLET,
      title: 'status (§4) a wallet that disconnects is removed, and the first that remains becomes current',
    },
  ],
  '4.16': [{ file: WALLET, title: 'status (§4) the current connector is not connected again' }],
  '4.20': [
    { file: WALLET, title: 'the required chain (§4) it is the one of the profile: another profile, another chain' },
  ],
  '4.32': [{ file: COLOUR, title: 'a page forces a mode while it stands; the choice is neither changed nor lost' }],
  '4.33': [{ file: COLOUR, title: 'forcing system is refused with a warning and changes nothing' }],
  '5.15': [
    {
      file: WALLET_ERRORS,
      title:
        'the wordings of §8 are exact in English, and natural in Chinese the validation text Address must be a hex value of 20 bytes (40 hex characters) (§5)',
    },
  ],
  '5.16': [
    {
      file: WALLET_ERRORS,
      title:
        'the wordings of §8 are exact in English, and natural in Chinese the validation text Address must match its checksum counterpart (§5)',
    },
  ],
  '5.18': [{ file: WALLET, title: 'signing (§5, §7) an account that is not one of the connection’s signs nothing' }],
  '5.19': [
    { file: WALLET, title: 'signing (§5, §7) signMessage: the wallet must be on the chain of the connection' },
    { file: WALLET, title: 'signing (§5, §7) sendTransaction: the wallet must be on the chain of the connection' },
  ],
  '5.20': [{ file: FORMS, title: 'a list in a query is its key with brackets, each element as JSON' }],
  '7.04': [{ file: FORMS, title: 'a body nests with brackets and leaves out what is absent' }],
  '7.05': [{ file: CLIENT, title: 'form data is sent as it is, without a content type of ours' }],
  '7.06': [{ file: FORMS, title: 'a list in a query is its key with brackets, each element as JSON' }],
  '7.25': [{ file: CLIENT, title: 'a download is answered as it is: attachment; filename="logs.csv"' }],
  '7.26': [
    { file: CLIENT, title: 'what is no envelope rejects with what came, or null' },
    { file: CLIENT, title: 'a download with another status than 200 is an error with its body' },
  ],
  '7.27': [{ file: CLIENT, title: 'what is no envelope rejects with what came, or null' }],
  '7.37': [{ file: TRANSPORT, title: 'a call is a POST of JSON-RPC 2.0 as application/json with a numeric id' }],
  '7.38': [{ file: TRANSPORT, title: 'calls of one moment go in one batch, with ids of their own' }],
  '7.39': [{ file: TRANSPORT, title: 'a batch holds 1000 calls and no more' }],
  '7.45': [{ file: ICONS, title: 'no address has more than 500 characters, and every icon is in one of them' }],
  '8.06': [
    {
      file: WALLET_ERRORS,
      title: 'of any other code the details say more, else the message viem’s links and versions are not shown',
    },
  ],
  '8.19': [
    { file: LINKS, title: 'nothing but ExternalLink leads out of the app' },
    { file: LINKS, title: '"//bscscan.com" is refused' },
  ],
  '8.20': [
    { file: LINKS, title: '"javascript:alert(1)" is refused' },
    { file: LINKS, title: '"vbscript:msgbox(1)" is refused' },
    { file: LINKS, title: '"data:text/html,<script>alert(1)</script>" is refused' },
  ],
  '8.21': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese Chain not configured.',
    },
  ],
  '8.22': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese Connector already connected.',
    },
  ],
  '8.23': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese Connector not connected.',
    },
  ],
  '8.24': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese Provider not found.',
    },
  ],
  '8.25': [
    {
      file: WALLET_ERRORS,
      title:
        'the wordings of §8 are exact in English, and natural in Chinese This wallet does not support programmatic chain switching',
    },
  ],
  '8.26': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese Account not found for connector',
    },
  ],
  '8.27': [
    {
      file: WALLET_ERRORS,
      title:
        "the wordings of §8 are exact in English, and natural in Chinese The current chain of the connector does not match the connection's chain",
    },
  ],
  '8.28': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese No URL was provided to the Transport',
    },
    { file: TRANSPORT, title: 'without a URL there is no client' },
  ],
  '8.29': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese The request took too long to respond.',
    },
  ],
  '8.30': [
    {
      file: WALLET_ERRORS,
      title:
        'the wordings of §8 are exact in English, and natural in Chinese Could not find an Account to execute with this Action',
    },
  ],
  '8.31': [
    {
      file: WALLET_ERRORS,
      title: 'the wordings of §8 are exact in English, and natural in Chinese HTTP request failed.',
    },
  ],
  '9.11': [
    { file: CONFIG, title: 'the chains are told as wallets know them' },
    { file: PROFILES, title: 'the configuration names the profile and its chain' },
  ],
  '9.12': [
    { file: TRANSPORT, title: 'no answer within the time-out is tried again, then told' },
    {
      file: TRANSPORT,
      title: 'the product’s limits: 10 s, 3 retries from 150 ms, batches of 1000, polling and cache 4 s',
    },
  ],
  '9.13': [
    { file: TRANSPORT, title: 'the waits double: 150, 300, 600 ms' },
    { file: TRANSPORT, title: 'after three retries the failure is told' },
  ],
  '9.14': [{ file: TRANSPORT, title: 'Retry-After is honoured, in seconds and as a date' }],
  '9.15': [{ file: TRANSPORT, title: 'HTTP 403 is tried again, three times' }],
  '9.16': [{ file: TRANSPORT, title: 'HTTP 408 is tried again, three times' }],
  '9.17': [{ file: TRANSPORT, title: 'HTTP 413 is tried again, three times' }],
  '9.18': [{ file: TRANSPORT, title: 'HTTP 429 is tried again, three times' }],
  '9.19': [{ file: TRANSPORT, title: 'HTTP 500 is tried again, three times' }],
  '9.20': [{ file: TRANSPORT, title: 'HTTP 502 is tried again, three times' }],
  '9.21': [{ file: TRANSPORT, title: 'HTTP 503 is tried again, three times' }],
  '9.22': [{ file: TRANSPORT, title: 'HTTP 504 is tried again, three times' }],
  '9.23': [{ file: TRANSPORT, title: 'RPC code -1 is tried again, three times' }],
  '9.24': [{ file: TRANSPORT, title: 'RPC code -32005 is tried again, three times' }],
  '9.25': [{ file: TRANSPORT, title: 'RPC code -32603 is tried again, three times' }],
  '9.26': [
    {
      file: TRANSPORT,
      title: 'the product’s limits: 10 s, 3 retries from 150 ms, batches of 1000, polling and cache 4 s',
    },
  ],
  '9.27': [
    {
      file: TRANSPORT,
      title: 'the product’s limits: 10 s, 3 retries from 150 ms, batches of 1000, polling and cache 4 s',
    },
  ],
  '9.28': [
    {
      file: TRANSPORT,
      title: 'the product’s limits: 10 s, 3 retries from 150 ms, batches of 1000, polling and cache 4 s',
    },
    { file: TRANSPORT, title: 'a batch holds 1000 calls and no more' },
  ],
  '9.29': [
    { file: TRANSPORT, title: 'the cache of addresses holds 8192 (viem’s own, least recently used goes first)' },
  ],
  '9.30': [
    {
      file: WALLET,
      title: 'status (§4) a revocation that the wallet never answers is waited for no longer than 100 ms',
    },
  ],
  '9.35': [{ file: QUERIES, title: 'what got no answer is tried three times more, after 1, 2 and 4 s' }],
  '9.36': [
    { file: QUERIES, title: 'after 0 failures the pause is 1000 ms' },
    { file: QUERIES, title: 'after 1 failures the pause is 2000 ms' },
    { file: QUERIES, title: 'after 40 failures the pause is 30000 ms' },
  ],
  '9.37': [{ file: QUERIES, title: 'an answer that nothing shows any more is forgotten after five minutes' }],
  '9.38': [
    {
      file: 'apps/web/src/app/reload-guard.test.ts',
      title: 'a missing chunk reloads a path once within 10 s',
    },
  ],
  '9.39': [{ file: ICONS, title: 'the app waits 1.5 s; what comes later is still shown' }],
  '9.40': [
    {
      file: ICONS,
      title: 'a request is given up 5 s after the last host was asked, and the icon may be asked for again',
    },
  ],
  '9.41': [{ file: ICONS, title: 'no address has more than 500 characters, and every icon is in one of them' }],
  '9.42': [{ file: ICONS, title: 'a host that does not answer within 0.75 s is joined by the next' }],
  '9.43': [{ file: ICON_CACHE, title: 'an icon is kept for an hour, and no longer' }],
  '9.44': [{ file: ICON_CACHE, title: 'no more than 50 are kept, and the oldest go first' }],
}
