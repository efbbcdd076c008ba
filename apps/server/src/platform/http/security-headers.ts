import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { contentPolicy } from './content-policy.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Responds with data, not with a page. */
    isCall?: true
  }
}

/**
 * The headers of a call's response, in place of those that helmet sends with a page: data that no page may frame, run or
 * guess the type of. One constant, because computing fifteen headers per response costs more than the response (27 of
 * 65 µs for a small one).
 */
export const CALL_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
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
 * Sends the security headers of calls and pages.
 *
 * @param pages the built pages as HTML, whose inline scripts and styles are allowed.
 * @param connectOrigins origins that a page may talk to beside its own.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { pages, connectOrigins }: { readonly pages: readonly string[]; readonly connectOrigins: readonly string[] },
): Promise<void> {
  const ownHeaders = {
    'content-security-policy': contentPolicy(pages, connectOrigins),
    'permissions-policy': PERMISSIONS_POLICY,
  }
  // Cross-Origin-Opener-Policy stays at helmet's `same-origin`: no wallet that we offer needs to reach its opener from a
  // pop-up. Extensions are injected, WalletConnect uses its relay, and deep links leave the page.
  // The first packets of home carry these too, so some are left out: those for Internet Explorer, Flash and a filter that
  // no browser has any more, and that of DNS prefetching, because the app links to no other origin than the explorer.
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: false,
    ieNoOpen: false,
    dnsPrefetchControl: false,
    permittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isCall) return void reply.headers(CALL_HEADERS)
    await reply.helmet()
    // The policy is one constant: helmet would build it again for each request.
    reply.headers(ownHeaders)
  })
}
