import { expect, it } from 'vitest';
import { isPushEndpoint } from './push-hosts.ts';

it.each([
	'https://fcm.googleapis.com/fcm/send/abc',
	'https://updates.push.services.mozilla.com/wpush/v2/abc',
	'https://web.push.apple.com/abc',
	'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('sends to %s', (endpoint) => {
	expect(isPushEndpoint(endpoint, [])).toBe(true);
});

it.each([
	'http://fcm.googleapis.com/x',
	'https://fcm.googleapis.com:8443/x',
	'https://fcm.googleapis.com./x',
	'https://evil.com/fcm.googleapis.com',
	'https://fcm.googleapis.com.evil.com/x',
	'https://evilfcm.googleapis.com/x',
	'https://evilpush.apple.com/x',
	'https://push.apple.com.evil.com/x',
	'https://fcm.googleapis.com@evil.com/x',
	'https://user@fcm.googleapis.com/x',
	'https://evil.com#@fcm.googleapis.com',
	'https://evil.com\\@fcm.googleapis.com/',
	'https://127.0.0.1/x',
	'http://127.0.0.1:3100/api/v1/rules',
	'https://[::1]/x',
	'https://localhost/x',
	'https://169.254.169.254/latest/meta-data',
	'https://192.168.1.1/x',
	'https://2130706433/x',
	'file:///etc/passwd',
	'data:,x',
	'',
])('does not send to %s', (endpoint) => {
	expect(isPushEndpoint(endpoint, [])).toBe(false);
});

it('sends to configured hosts with exactly their port, and without https only on this machine', () => {
	const added = ['push.example.com', '127.0.0.1:4000', '192.168.1.5:4000'];
	expect(isPushEndpoint('https://push.example.com/x', added)).toBe(true);
	expect(isPushEndpoint('http://127.0.0.1:4000/x', added)).toBe(true);
	for (const other of [
		'http://push.example.com/x',
		'https://push.example.com:444/x',
		'https://a.push.example.com/x',
		'http://127.0.0.1:4001/x',
		'http://127.0.0.2:4000/x',
		'http://192.168.1.5:4000/x',
	])
		expect.soft(isPushEndpoint(other, added), other).toBe(false);
});
