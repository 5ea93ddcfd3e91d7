import { expect, it } from 'vitest';
import { type Browser, type Support, supportOf } from './notifications.ts';

const DESKTOP: Browser = { isSecure: true, isApplePhone: false, isInstalled: false, permission: 'default', hasWorker: true };

it.each<[string, Partial<Browser>, Support]>([
	['a desktop', {}, 'ready'],
	['a desktop that permits them', { permission: 'granted' }, 'ready'],
	['a browser that blocks them', { permission: 'denied' }, 'blocked'],
	['an address without https', { isSecure: false, hasWorker: false, permission: null }, 'insecure'],
	['Safari on a phone', { isApplePhone: true, permission: null }, 'home-screen'],
	['the app on the home screen of a phone', { isApplePhone: true, isInstalled: true }, 'ready'],
	['a browser without notifications', { permission: null }, 'unsupported'],
	['a browser without workers', { hasWorker: false }, 'unsupported'],
])('%s', (_, browser, support) => {
	expect(supportOf({ ...DESKTOP, ...browser })).toBe(support);
});
