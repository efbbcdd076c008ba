// Shows the price alerts that are pushed to this device, and nothing else: it keeps no page and answers no request.

const TEXTS = {
  'zh-HK': {
    title: '到價提示',
    above: (symbol, price) => `${symbol} 已升至 ${price} 或以上`,
    below: (symbol, price) => `${symbol} 已跌至 ${price} 或以下`,
  },
  en: {
    title: 'Price alert',
    above: (symbol, price) => `${symbol} rose to ${price} or above`,
    below: (symbol, price) => `${symbol} fell to ${price} or below`,
  },
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

/** What was sent, as far as it is what the server sends. A browser wants something shown for each message all the same. */
function read(data) {
  try {
    const { symbol, direction, price, language } = data.json()
    const isAlert = /^[A-Z0-9]{4,20}$/.test(symbol) && /^(above|below)$/.test(direction) && /^[\d.]{1,60}$/.test(price)
    return { alert: isAlert ? { symbol, direction, price } : undefined, language: language === 'en' ? 'en' : 'zh-HK' }
  } catch {
    return { alert: undefined, language: 'zh-HK' }
  }
}

function show({ alert, language }) {
  const texts = TEXTS[language]
  const prefix = language === 'en' ? '/#/en' : '/#'
  return self.registration.showNotification(texts.title, {
    body: alert ? texts[alert.direction](alert.symbol, grouped(alert.price)) : '',
    lang: language,
    icon: '/icon-192.png',
    // The same alert, should it be sent twice, is shown once.
    tag: alert ? `${alert.symbol}-${alert.direction}-${alert.price}` : 'alert',
    data: alert ? `${prefix}/markets/${alert.symbol}` : `${prefix}/`,
  })
}

/** A window that shows it already, else a new one: nobody is taken from what they are doing in another. */
async function open(path) {
  const url = new URL(path, self.location.origin).href
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find((each) => each.url === url)
  return shown ? shown.focus() : self.clients.openWindow(url)
}

function grouped(price) {
  const [whole, fraction] = price.split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? text : `${text}.${fraction}`
}
