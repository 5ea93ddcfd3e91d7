import { expect, it } from 'vitest';
import { readHookSamples, readStreamSample, readTranscriptSample } from './claude-samples.ts';

it('yields the payloads of every recorded event, each under its own name', () => {
	const samples = readHookSamples();
	expect(samples).toHaveLength(68);
	expect(new Set(samples.map(({ event }) => event)).size).toBe(30);
	expect(samples.filter(({ event, payload }) => payload.hook_event_name !== event)).toEqual([]);
});

it('names the variants so that no two samples of an event are alike', () => {
	const names = readHookSamples().map(({ event, variant }) => `${event} ${variant}`);
	expect(names).toContain('PermissionRequest Bash in a subagent');
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('reads a whole stream and a whole transcript', () => {
	expect(readStreamSample().at(-1)).toMatchObject({ type: 'result', is_error: false });
	const messageIds = readTranscriptSample().flatMap((line) => /"id": ?"(msg_[^"]+)"/.exec(line)?.[1] ?? []);
	expect(new Set(messageIds).size).toBeLessThan(messageIds.length);
});
