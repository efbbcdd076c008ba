import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@clearwell/ui/build/compile-messages.ts'
import { LOCALES, showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { m } from '../generated/messages.ts'

afterEach(() => showLocale('zh-HK'))

/** Characters that are written so in Simplified Chinese alone, out of those that an app like this one uses. */
const SIMPLIFIED =
  /[专业东两严个丰为举义乌习书买乱争亏产亩亲仅从仓仪们价众优会伟传伤伦伪体侠侣侦债倾偿储儿兑党兰关兴养内册写军农冯冲决况冻净减几凤凭击创刚刘则删别剂剑剧劝办务动励劳势勋区医华协单卖卢卫厂厅历压厌县参双发变叠叶号叹员听启吴响哑哗喷嘱团园围国图圆圣场坏块坚坛坟坠垫垦墙壮声壳处备复够头夺奋奖妆妇妈娱婴孙学宁宝实审宪宫宽宾对寻导寿将尔尘尝层属岁岂岗岛岭币师帐带帮库应庙废开异弃张弥弯弹强归当录忆忧怀态总恋恳恶悬惊惧惩惯愤愿懒戏战户扑执扩扫扬扰抛护报担拟拥择挂挡挥损换据掳掷摄摆摇数斩断无旧时显晓暂术机杀杂权条来极构枪柜标栏树样桥检楼榄横欢欧歼残毁毕毙气汇汉汤沟没沪泪泼泽洁测济浓涛润涨渐湾湿满滚滞滤滥灭灯灵点炼热爱爷牵牺犹狮独狱猎献现琐环电画畅疗疯盐监盖盘睁矫码矿砖础确礼祸离种积称稳穷窃竞笔筛签简筹类粮紧纠红约级纪纯纲纳纵纷纸纹线练组细织终绍经结绕给络绝统继绩续维综绿缓编缘缩缴网罗罚罢职联聪肃肠肤肿胀胁胜胶脉脏脑脚脱脸舰艰艺节芦苏苹范茧荐荣药莱获营萨蓝虑虚虫虽蚁补装见观规视览觉触誉计订认讨让训议记讲许论设访证评识诈诉词译试诗诚话诞询该详语误说请诸诺读课谁调谅谈谋谎谓谢谨谱贝负财责贤败账货质贩贪购贮贯贱贴贵贷贸费贺贼资赋赌赏赐赔赖赚赛赞赠赢赵趋跃车转轮软轰轻载较辅辆辈辉输辞边达迁过运还这进远违连迟适选逊递逻遗邮邻郑释钟钢钱钻铁铃银销锁错锦键镇长门闪闭问间闲阅队阳阴阶际陆陈险随隐难雾静韩页顶项顺须顾顿预领频题额风飞饭饮饰饱饼馆马驱驳驶驻驾验骑骗鱼鲜鸟鸡鸣麦黄齐龄龙龟]/u

/** The compiled messages by their key. */
const compiled = m as unknown as Record<string, (inputs: object) => string>

const src = join(import.meta.dirname, '..')
const files = globSync('{.,../../../packages/ui/src}/**/*.messages.zh-HK.json', { cwd: src }).sort()

test('every message file exists in both languages', () => {
  const english = globSync('{.,../../../packages/ui/src}/**/*.messages.en.json', { cwd: src }).map((file) =>
    file.replace('.en.', '.zh-HK.'),
  )
  expect(english.sort()).toEqual(files)
})

test.each(files)('%s matches its English file in keys and variables, without gaps', (file) => {
  const chinese = read(file)
  const english = read(file.replace('zh-HK', 'en'))
  expect(Object.keys(english).sort()).toEqual(Object.keys(chinese).sort())
  for (const [key, message] of Object.entries(chinese)) {
    const twins = english[key] ?? ''
    for (const text of [...textsOf(message), ...textsOf(twins)]) {
      expect(text.trim(), key).not.toBe('')
      expect(text, key).not.toMatch(/[!！]/)
      expect(text, `${key} has a space at an end`).toBe(text.trim())
    }
    const [first = ''] = textsOf(message)
    for (const text of [...textsOf(message), ...textsOf(twins)]) expect(variables(text), key).toEqual(variables(first))
  }
})

test.each(files)('%s uses Hong Kong wording', (file) => {
  for (const [key, message] of Object.entries(read(file))) {
    for (const text of textsOf(message)) {
      expect(text.match(SIMPLIFIED)?.[0], `${key} has a Simplified character`).toBeUndefined()
      expect(text, `${key} says 您`).not.toMatch(/您/)
      expect(text, `${key} has half-width punctuation beside Chinese`).not.toMatch(
        /\p{Script=Han}[,.;:?()]|[,;:?()]\p{Script=Han}/u,
      )
    }
  }
})

test('English nouns agree with their number', () => {
  const countable =
    /\{\w+\} (?:of \{\w+\} )?(confirmations?|orders?|swaps?|days?|people|minutes?|hours?|times|levels?)\b/
  const ungoverned = files.flatMap((file) =>
    Object.entries(read(file.replace('zh-HK', 'en'))).filter(
      ([, message]) => typeof message === 'string' && countable.test(message),
    ),
  )
  expect(ungoverned).toEqual([])
})

test('confirmations have singular and plural in English', () => {
  showLocale('en')
  expect(m.wallet_order_next_seen({ n: 0, m: 1 })).toBe('0 of 1 confirmation')
  expect(m.wallet_order_next_seen({ n: 1, m: '15' })).toBe('1 of 15 confirmations')
  expect(m.wallet_order_next_seen({ n: 0, m: 0 })).toBe('0 of 0 confirmations')
})

test('a Chinese name or date has no space beside it', () => {
  const name = { name: '本機鏈', network: '本機鏈', date: '2026年3月9日', day: '2026年3月9日' }
  const figures = { address: '0x1234…5678', coin: 'BNB', assets: 'BNB', count: '30', total: '5 RT', best: '2 RT' }
  const inputs = { ...name, ...figures }
  const keys = [
    'app_network_switch_to',
    'app_network_wrong_text',
    'payment_next_switch',
    'payment_retrieve_not_found',
    'wallet_receive_network',
    'wallet_receive_vault_network',
    'wallet_receive_vault_confirm',
    'team_joined',
    'box_result_of',
    'rich_kline_text',
    'rich_kline_text_weeks',
    'rich_kline_text_months',
  ]
  const named = keys.map((key) => compiled[key]?.(inputs) ?? '')
  expect(named).not.toContain('')
  expect(named.filter((text) => /\p{Script=Han} [\p{Script=Han}，。]/u.test(text))).toEqual([])
})

test('every message key is in one file only', () => {
  const keys = files.flatMap((file) => Object.keys(read(file)))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('every message has a function that knows both languages', () => {
  const inputs = new Proxy({}, { get: (_, name) => String(name) })
  for (const locale of LOCALES) {
    showLocale(locale)
    for (const [key, message] of files.flatMap((file) => Object.entries(read(file.replace('zh-HK', locale))))) {
      expect(compiled[key]?.(inputs), `${key} in ${locale}`).toBe(
        (typeof message === 'string' ? message : message.other).replaceAll(/[{}]/g, ''),
      )
    }
  }
})

function read(file: string): Record<string, Message> {
  return JSON.parse(readFileSync(join(src, file), 'utf8'))
}

function textsOf(message: Message): string[] {
  return typeof message === 'string' ? [message] : [message.one, message.other]
}

function variables(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort()
}
