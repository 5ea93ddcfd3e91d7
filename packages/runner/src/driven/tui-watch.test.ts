import { describe, expect, it } from 'vitest';
import { createDialogs, TUI_LIMITS } from './tui-watch.ts';

const LIMITS = { ...TUI_LIMITS, calmMs: 10, keyMs: 100, mostPresses: 2, mostReturns: 2, mostKeys: 3 };

describe('dialogs during startup', () => {
	it('are answered once they are stable, once per appearance', () => {
		const dialogs = createDialogs(LIMITS);
		expect([0, 9, 10, 11, 50].map((now) => dialogs.see('trust?', now))).toEqual(['wait', 'wait', 'press', 'wait', 'wait']);
		expect([60, 70].map((now) => dialogs.see('key?', now))).toEqual(['wait', 'press']);
	});

	it('are answered again with growing delays if the key had no effect, and finally reported as stuck', () => {
		const dialogs = createDialogs(LIMITS);
		const seen = [0, 10, 109, 110, 210, 309, 310].map((now) => dialogs.see('trust?', now));
		expect(seen).toEqual(['wait', 'press', 'wait', 'press', 'wait', 'wait', 'stuck']);
	});

	it('may reappear after they were answered, but only a limited number of times', () => {
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

	it('may flicker for any time before they are answered', () => {
		const dialogs = createDialogs(LIMITS);
		const flicker = (now: number) => {
			dialogs.none();
			return dialogs.see('trust?', now);
		};
		expect([0, 5, 10, 15, 20].map(flicker)).toEqual(['wait', 'wait', 'wait', 'wait', 'wait']);
		expect(dialogs.see('trust?', 30)).toBe('press');
	});

	it('are given up if there is always another one', () => {
		const dialogs = createDialogs(LIMITS);
		const answer = (name: string, now: number) => [dialogs.see(name, now), dialogs.see(name, now + 10)];
		for (const [at, name] of ['a', 'b', 'c'].entries()) expect(answer(name, at * 100)).toEqual(['wait', 'press']);
		expect(dialogs.see('d', 400)).toBe('returns');
	});

	it('count as the same while only an animation in them changes', () => {
		const dialogs = createDialogs(LIMITS);
		expect([dialogs.see('⠋ trust? 3 s', 0), dialogs.see('⠙ trust? 4 s', 10)]).toEqual(['wait', 'press']);
	});

	it('count as the same while a logo blinks, but as different when another row is selected', () => {
		const dialogs = createDialogs(LIMITS);
		const faces = ['█ ▘▝ █', '█ ╴╶ █', '█    █'].map((face) => `${face}  Agent\n❯ 1. No\n  2. Yes`);
		expect(faces.map((screen, at) => dialogs.see(screen, at * 5))).toEqual(['wait', 'wait', 'press']);
		expect(dialogs.see('█    █  Agent\n  1. No\n❯ 2. Yes', 60)).toBe('wait');
	});
});
