import { describe, expect, test } from 'vitest'
import { isOfService } from './push-services.ts'

const SERVICES = ['https://fcm.googleapis.com', 'https://*.notify.windows.com', 'https://web.push.apple.com']

describe('accepts an address of a push service in every notation', () => {
  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://FCM.googleapis.com:443/wp/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=BQYAAA%3d',
    'https://a.b.notify.windows.com/w/',
    'https://a.notify.windows.com/w/',
    'https://web.push.apple.com/QGuQyavXutnMH',
  ])('%s', (endpoint) => {
    expect(isOfService(endpoint, SERVICES)).toBe(true)
  })
})

describe('rejects every other address', () => {
  test.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/fcm/send/abc',
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com@evil.example/',
    'https://user:word@fcm.googleapis.com/',
    'https://user@fcm.googleapis.com/',
    'https://:word@fcm.googleapis.com/',
    'https://fcm.googleapis.com./x',
    'https://fcm.googleapis.com/x#y',
    'https://evil.example#.notify.windows.com',
    'https://evil.example\\.notify.windows.com/',
    'https://evilnotify.windows.com/',
    'https://notify.windows.com/',
    'https://.notify.windows.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'file:///etc/passwd',
    'ftp://fcm.googleapis.com/x',
    'https:',
    '',
  ])('%s', (endpoint) => {
    expect(isOfService(endpoint, SERVICES)).toBe(false)
  })
})

test('rejects every address if no service is configured', () => {
  expect(isOfService('https://fcm.googleapis.com/x', [])).toBe(false)
})
