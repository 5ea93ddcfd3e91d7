import { expect, it } from 'vitest';
import { readHookSamples, readStreamSample, readTranscriptSample } from './claude-samples.ts';

it('returns the payloads of every recorded event under its own name', () => {
	const samples = readHookSamples();
	expect(samples).toHaveLength(68);
	expect(new Set(samples.map(({ event }) => event)).size).toBe(30);
	expect(samples.filter(({ event, payload }) => payload.hook_event_name !== event)).toEqual([]);
});

it('gives each sample of an event a unique name', () => {
	const names = readHookSamples().map(({ event, variant }) => `${event} ${variant}`);
	expect(names).toContain('PermissionRequest Bash in a subagent');
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('reads a complete stream and a complete transcript', () => {
	expect(readStreamSample().at(-1)).toMatchObject({ type: 'result', is_error: false });
	const messageIds = readTranscriptSample().flatMap((line) => /"id": ?"(msg_[^"]+)"/.exec(line)?.[1] ?? []);
	expect(new Set(messageIds).size).toBeLessThan(messageIds.length);
});
