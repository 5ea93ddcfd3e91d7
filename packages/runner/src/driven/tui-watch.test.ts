import { describe, expect, it } from 'vitest';
import { createDialogs, TUI_LIMITS } from './tui-watch.ts';

const LIMITS = { ...TUI_LIMITS, calmMs: 10, keyMs: 100, mostPresses: 2, mostReturns: 2, mostKeys: 3 };

describe('dialogs at a start', () => {
	it('are answered once they are calm, once for each time they appear', () => {
		const dialogs = createDialogs(LIMITS);
		expect([0, 9, 10, 11, 50].map((now) => dialogs.see('trust?', now))).toEqual(['wait', 'wait', 'press', 'wait', 'wait']);
		expect([60, 70].map((now) => dialogs.see('key?', now))).toEqual(['wait', 'press']);
	});

	it('are answered again when the key had no effect, later each time, and given up after that', () => {
		const dialogs = createDialogs(LIMITS);
		const seen = [0, 10, 109, 110, 210, 309, 310].map((now) => dialogs.see('trust?', now));
		expect(seen).toEqual(['wait', 'press', 'wait', 'press', 'wait', 'wait', 'stuck']);
	});

	it('may come back after they were answered, but not for ever', () => {
		const dialogs = createDialogs(LIMITS);
		const appear = (now: number) => {
			dialogs.none();
			return [dialogs.see('trust?', now), dialogs.see('trust?', now + 10)];
		};
		expect([0, 100].map(appear)).toEqual([
			['wait', 'press'],
			['wait', 'press'],
		]);
		expect(appear(200)[0]).toBe('returns');
	});

	it('may flicker as long as they like before they are answered', () => {
		const dialogs = createDialogs(LIMITS);
		const flicker = (now: number) => {
			dialogs.none();
			return dialogs.see('trust?', now);
		};
		expect([0, 5, 10, 15, 20].map(flicker)).toEqual(['wait', 'wait', 'wait', 'wait', 'wait']);
		expect(dialogs.see('trust?', 30)).toBe('press');
	});

	it('give up if there is always another one', () => {
		const dialogs = createDialogs(LIMITS);
		const answer = (name: string, now: number) => [dialogs.see(name, now), dialogs.see(name, now + 10)];
		for (const [at, name] of ['a', 'b', 'c'].entries()) expect(answer(name, at * 100)).toEqual(['wait', 'press']);
		expect(dialogs.see('d', 400)).toBe('returns');
	});

	it('are the same while only something in them moves', () => {
		const dialogs = createDialogs(LIMITS);
		expect([dialogs.see('⠋ trust? 3 s', 0), dialogs.see('⠙ trust? 4 s', 10)]).toEqual(['wait', 'press']);
	});

	it('are the same while a face above them blinks, and another while another row is chosen', () => {
		const dialogs = createDialogs(LIMITS);
		const faces = ['█ ▘▝ █', '█ ╴╶ █', '█    █'].map((face) => `${face}  Agent\n❯ 1. No\n  2. Yes`);
		expect(faces.map((screen, at) => dialogs.see(screen, at * 5))).toEqual(['wait', 'wait', 'press']);
		expect(dialogs.see('█    █  Agent\n  1. No\n❯ 2. Yes', 60)).toBe('wait');
	});
});
