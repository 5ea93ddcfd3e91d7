import { expect, it } from 'vitest';
import { toNotice } from './pending-notice.ts';

it('has the number, the runner and the address of the oldest request', () => {
	expect(toNotice({ count: 2, ask: 's1.1', runner: 'desk\u202E' })).toMatchObject({
		title: '2 requests pending',
		options: { body: 'Roost on desk\\u{202e}', tag: 'asks', renotify: true, data: { path: '/?ask=s1.1' } },
	});
	expect(toNotice({ count: 1, ask: 'a&b=c#d', runner: 'desk' }).options.data).toEqual({ path: '/?ask=a%26b%3Dc%23d' });
});

it('is silent where it is only shown to be closed', () => {
	expect(toNotice({ count: 0, runner: 'desk' }).options).toMatchObject({ silent: true, renotify: false });
	expect(toNotice({ count: 0, runner: 'desk', test: true })).toMatchObject({
		title: 'Notifications work',
		options: { silent: false },
	});
});
