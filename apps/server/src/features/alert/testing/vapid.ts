import { createECDH } from 'node:crypto'

const pair = createECDH('prime256v1')

export const PUBLIC_KEY = pair.generateKeys('base64url')

/** The environment of a server that sends push messages. */
export const VAPID = {
  VAPID_PUBLIC_KEY: PUBLIC_KEY,
  VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  VAPID_SUBJECT: 'mailto:operator@clearwell.example',
}
