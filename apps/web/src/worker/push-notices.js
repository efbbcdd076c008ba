// Shows the price alerts and the notices that are pushed to this device.

const TEXTS = {
  'zh-HK': {
    title: '到價提示',
    above: (symbol, price) => `${symbol} 已升至 ${price} 或以上`,
    below: (symbol, price) => `${symbol} 已跌至 ${price} 或以下`,
    loan: '借貸提示',
    loan_warning: ({ percent }) => `你的一筆借貸，借貸比率已達 ${percent}%`,
    loan_reminder: ({ hours }) => `你的一筆借貸將於 ${hours} 小時內到期`,
    loan_to_be_cleared: () => '你的一筆借貸現可被清算',
    loan_rate_doubled: () => '你的一筆借貸，利率已倍增',
    loan_part_liquidated: () => '你的一筆借貸已被清算一部分',
    loan_liquidated: () => '你的一筆借貸已被清算',
    rich: '共贏升級',
    upgrade_requested: ({ star }) => `有一宗 ${star} 星升級申請正待你批核`,
    upgrade_passed: ({ star }) => `你的 ${star} 星升級申請已通過`,
    team: '團隊消息',
    lead_activated: () => '你邀請的一位夥伴已啟用帳戶',
    level_up: ({ level }) => `你的會員等級已升至 ${level} 級`,
    account: '你的帳戶',
    account_frozen: () => '你的帳戶已被凍結',
    account_unfrozen: () => '你的帳戶已解除凍結',
    sessions_revoked: () => '營運方已在所有裝置登出你的帳戶',
  },
  en: {
    title: 'Price alert',
    above: (symbol, price) => `${symbol} rose to ${price} or above`,
    below: (symbol, price) => `${symbol} fell to ${price} or below`,
    loan: 'Loan notice',
    loan_warning: ({ percent }) => `One of your loans has reached ${percent}% LTV`,
    loan_reminder: ({ hours }) => `One of your loans is due within ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
    loan_to_be_cleared: () => 'One of your loans can now be liquidated',
    loan_rate_doubled: () => 'The rate of one of your loans has doubled',
    loan_part_liquidated: () => 'A part of one of your loans was liquidated',
    loan_liquidated: () => 'One of your loans was liquidated',
    rich: 'Upgrade hub',
    upgrade_requested: ({ star }) => `Waiting for your approval: a request for star level ${star}`,
    upgrade_passed: ({ star }) => `Your request for star level ${star} has passed`,
    team: 'Your team',
    lead_activated: () => 'Someone you invited is now activated',
    level_up: ({ level }) => `You have reached membership level ${level}`,
    account: 'Your account',
    account_frozen: () => 'Your account is frozen',
    account_unfrozen: () => 'Your account is no longer frozen',
    sessions_revoked: () => 'The operator signed you out on every device',
  },
}

const LOANS = { title: 'loan', path: '/stake/lend/orders' }
const HUB = { title: 'rich', path: '/rich' }
const TEAM = { title: 'team', path: '/team' }
const ACCOUNT = { title: 'account', path: '/' }
/** The title and the page of each kind of notice. */
const NOTICES = {
  loan_warning: LOANS,
  loan_reminder: LOANS,
  loan_to_be_cleared: LOANS,
  loan_rate_doubled: LOANS,
  loan_part_liquidated: LOANS,
  loan_liquidated: LOANS,
  upgrade_requested: HUB,
  upgrade_passed: HUB,
  lead_activated: TEAM,
  level_up: TEAM,
  account_frozen: ACCOUNT,
  account_unfrozen: ACCOUNT,
  sessions_revoked: ACCOUNT,
}

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

/** What was sent, as far as it is what the server sends. Browsers require a notification for each message. */
function read(data) {
  try {
    const { symbol, direction, price, language: sent, kind, percent = 0, hours = 0, star = 0, level = 0 } = data.json()
    const language = sent === 'en' ? 'en' : 'zh-HK'
    const values = { percent, hours, star, level }
    const isNotice = Object.hasOwn(NOTICES, kind) && Object.values(values).every(Number.isInteger)
    if (isNotice) return { notice: { kind, values }, language }
    const isAlert = /^[A-Z0-9]{4,20}$/.test(symbol) && /^(above|below)$/.test(direction) && /^[\d.]{1,60}$/.test(price)
    return { alert: isAlert ? { symbol, direction, price } : undefined, language }
  } catch {
    return { alert: undefined, language: 'zh-HK' }
  }
}

function show({ alert, notice, language }) {
  const texts = TEXTS[language]
  const prefix = language === 'en' ? '/#/en' : '/#'
  if (notice) {
    const { kind, values } = notice
    const { title, path } = NOTICES[kind]
    return self.registration.showNotification(texts[title], {
      body: texts[kind](values),
      lang: language,
      icon: '/icon-192.png',
      // Several notices that say the same are shown as one: the page has them all.
      tag: [kind, ...Object.values(values)].join('-'),
      data: prefix + path,
    })
  }
  return self.registration.showNotification(texts.title, {
    body: alert ? texts[alert.direction](marketName(alert.symbol), grouped(alert.price)) : '',
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

/** As the app names a market. */
function marketName(symbol) {
  return symbol.replace(/(?<=.)USDT$/, '/USDT')
}

/** With two decimals at least, as in the app. */
function grouped(price) {
  const [whole, fraction = ''] = price.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`
}
