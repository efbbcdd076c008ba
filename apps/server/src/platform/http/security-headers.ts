import type { FastifyInstance } from 'fastify'
import { contentPolicy } from './content-policy.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responds with data, not with a page. */
    isCall?: true
  }
}

const HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const

/** The headers of a call's response: data that no page may frame, run or guess the type of. */
export const CALL_HEADERS = {
  ...HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
} as const

/** Browser features that the app never uses, so that an injected script cannot use them either. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

/** Copying and sharing keep the browser's default: the app uses both. */
const PERMISSIONS_POLICY = UNUSED_FEATURES.map((feature) => `${feature}=()`).join()

/**
 * Sends the security headers of calls and pages. Both are constants: computing them for a response costs more than the response.
 *
 * @param pages the built pages as HTML, whose inline scripts and styles are allowed.
 * @param connectOrigins origins that a page may talk to beside its own.
 */
export function addSecurityHeaders(
  app: FastifyInstance,
  { pages, connectOrigins }: { readonly pages: readonly string[]; readonly connectOrigins: readonly string[] },
): void {
  const pageHeaders = {
    ...HEADERS,
    'content-security-policy': contentPolicy(pages, connectOrigins),
    // No wallet that we offer needs to reach its opener from a pop-up. Extensions are injected, WalletConnect uses its relay, and
    // deep links leave the page.
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS_POLICY,
    'x-frame-options': 'SAMEORIGIN',
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.routeOptions.config.isCall ? CALL_HEADERS : pageHeaders)
    done()
  })
}
