import * as z from 'zod/mini'
import { defineConfig } from '../../config/config-part.ts'
import { withDefaults } from '../../config/with-defaults.ts'

/** `*.` matches any name below. Plain `http` is for the service that a test starts. */
const pushService = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^(https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]*[a-z][a-z0-9-]*)+|http:\/\/(127\.0\.0\.1|localhost):\d{1,5})$/.test(
          text,
        ),
      'must be an https:// origin such as "https://*.example.com"',
    ),
  )

const push = z.strictObject({
  services: z
    .array(pushService)
    .check(
      z.describe(
        'origins of the push services that notices are sent to, `*.` for any name below; a device of any other is refused, so the server calls no address of a user’s choice. The default is those of Chrome, Firefox, Edge and Safari',
      ),
    ),
})

export const alertConfig = defineConfig({
  shape: {
    push: withDefaults(push, {
      services: [
        'https://fcm.googleapis.com',
        'https://updates.push.services.mozilla.com',
        'https://*.notify.windows.com',
        'https://web.push.apple.com',
      ],
    }),
  },
  check(values, fail, env) {
    if (env.profile !== 'local' && values.push.services.some((service) => service.startsWith('http:')))
      fail('push.services must be https:// outside the local profile')
  },
})
