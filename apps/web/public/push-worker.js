// Shows the price alerts and the notices about loans that are pushed to this device: it keeps no page and answers no request.

const TEXTS = {
  'zh-HK': {
    title: '到價提示',
    above: (symbol, price) => `${symbol} 已升至 ${price} 或以上`,
    below: (symbol, price) => `${symbol} 已跌至 ${price} 或以下`,
    loan: '借貸提示',
    loan_warning: ({ percent }) => `你的一筆借貸，借貸比率已達 ${percent}%`,
    loan_reminder: ({ hours }) => `你的一筆借貸將於 ${hours} 小時內到期`,
    loan_to_be_cleared: () => '你的一筆借貸現可被清算',
    loan_liquidated: () => '你的一筆借貸已被清算',
  },
  en: {
    title: 'Price alert',
    above: (symbol, price) => `${symbol} rose to ${price} or above`,
    below: (symbol, price) => `${symbol} fell to ${price} or below`,
    loan: 'Loan notice',
    loan_warning: ({ percent }) => `One of your loans has reached ${percent}% LTV`,
    loan_reminder: ({ hours }) => `One of your loans is due in ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    loan_to_be_cleared: () => 'One of your loans can now be liquidated',
    loan_liquidated: () => 'One of your loans was liquidated',
  },
}

const LOAN_KINDS = ['loan_warning', 'loan_reminder', 'loan_to_be_cleared', 'loan_liquidated']

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
    const { symbol, direction, price, language, kind, percent = 0, hours = 0 } = data.json()
    const isLoan = LOAN_KINDS.includes(kind) && Number.isInteger(percent) && Number.isInteger(hours)
    if (isLoan) return { loan: { kind, percent, hours }, language: language === 'en' ? 'en' : 'zh-HK' }
    const isAlert = /^[A-Z0-9]{4,20}$/.test(symbol) && /^(above|below)$/.test(direction) && /^[\d.]{1,60}$/.test(price)
    return { alert: isAlert ? { symbol, direction, price } : undefined, language: language === 'en' ? 'en' : 'zh-HK' }
  } catch {
    return { alert: undefined, language: 'zh-HK' }
  }
}

function show({ alert, loan, language }) {
  const texts = TEXTS[language]
  const prefix = language === 'en' ? '/#/en' : '/#'
  if (loan)
    return self.registration.showNotification(texts.loan, {
      body: texts[loan.kind](loan),
      lang: language,
      icon: '/icon-192.png',
      // Several loans of one kind are shown as one: the list of loans has them all.
      tag: `${loan.kind}-${loan.percent}-${loan.hours}`,
      data: `${prefix}/stake/lend/orders`,
    })
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
