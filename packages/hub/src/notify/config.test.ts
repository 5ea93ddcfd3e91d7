import { describe, expect, it } from 'vitest';
import { notifyConfig } from './config.ts';

describe('configuration of notifications', () => {
	it('is off by default', () => {
		expect(notifyConfig.parse({})).toEqual({ webhooks: [], runners: {} });
	});

	it('accepts https, and http on this machine only', () => {
		const isValid = (url: string) => notifyConfig.safeParse({ webhooks: [{ url, format: 'json' }] }).success;
		const valid = [
			'https://hooks.slack.com/services/T/B/x',
			'https://10.0.0.7/hook',
			'http://127.0.0.1:8080/',
			'http://localhost/x',
			'http://[::1]:1/',
		];
		expect(valid.filter((url) => !isValid(url))).toEqual([]);
		const invalid = [
			'http://10.0.0.7/hook',
			'http://localhost.evil.com/',
			'http://example.com',
			'ftp://127.0.0.1/',
			'file:///etc/passwd',
			'hook',
			'',
		];
		expect(invalid.filter(isValid)).toEqual([]);
	});

	it('rejects unknown fields, hours and time zones, and a topic that is missing', () => {
		const url = 'https://ntfy.sh';
		const invalid = [
			{ webhooks: [{ url, format: 'ntfy' }] },
			{ webhooks: [{ url, format: 'ntfy', topic: 'a/b' }] },
			{ webhooks: [{ url, format: 'teams' }] },
			{ webhook: [] },
			{ quietHours: '22-7' },
			{ quietHours: '22:00-24:00' },
			{ timeZone: 'Europe/Atlantis' },
		];
		expect(invalid.filter((config) => notifyConfig.safeParse(config).success)).toEqual([]);
		const valid = {
			webhooks: [{ url, format: 'ntfy', topic: 'roost-alerts' }],
			quietHours: '22:00-07:00',
			timeZone: 'Europe/Berlin',
		};
		expect(notifyConfig.parse(valid)).toEqual({ ...valid, runners: {} });
	});
});
