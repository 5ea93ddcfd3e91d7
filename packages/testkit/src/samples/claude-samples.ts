// Recorded data of the real Claude Code: hook payloads in many variants, a stream, a transcript and screens.
import { readdirSync, readFileSync } from 'node:fs';
import { isRecord } from '../fakes/model-request.ts';

export type HookSample = {
	/** The hook's name. */
	readonly event: string;
	/** Distinguishes samples of one event: the tool, the source or the reason, and whether a subagent was active. */
	readonly variant: string;
	readonly payload: Readonly<Record<string, unknown>>;
};

const folder = new URL('./claude/', import.meta.url);

/** All hook payloads, by event. */
export function readHookSamples(): readonly HookSample[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.flatMap((file) => toSamples(file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, folder), 'utf8'))));
}

/** The lines of `--output-format stream-json`, in order. */
export function readStreamSample(): readonly Readonly<Record<string, unknown>>[] {
	return readLines('stream.jsonl').map(toRecord);
}

/** The messages of the Agent SDK in one session, in order. */
export function readSdkMessageSample(): readonly Readonly<Record<string, unknown>>[] {
	return readLines('sdk-messages.jsonl').map(toRecord);
}

/** The lines of a session transcript, as in the file. */
export function readTranscriptSample(): readonly string[] {
	return readLines('transcript.jsonl');
}

/** Screens of the interactive claude, 120 × 40, by name. */
export function readPaneSamples(): ReadonlyMap<string, readonly string[]> {
	const panes = new URL('./panes/', folder);
	const files = readdirSync(panes).sort();
	return new Map(files.map((file) => [file.replace('.txt', ''), readFileSync(new URL(file, panes), 'utf8').split('\n')]));
}

function toSamples(event: string, raw: unknown): readonly HookSample[] {
	if (!Array.isArray(raw)) throw new Error(`the samples of ${event} are not a list`);
	return raw.map((each) => {
		const { variant, payload } = toRecord(each);
		return { event, variant: toVariant(variant), payload: toRecord(payload) };
	});
}

function toVariant(raw: unknown): string {
	const { key, in_subagent } = toRecord(raw);
	return [key, in_subagent === true ? 'in a subagent' : ''].filter((part) => part !== '').join(' ');
}

function toRecord(raw: unknown): Readonly<Record<string, unknown>> {
	const value: unknown = typeof raw === 'string' ? JSON.parse(raw) : raw;
	if (!isRecord(value)) throw new Error(`a sample is not an object: ${JSON.stringify(value)}`);
	return value;
}

function readLines(file: string): readonly string[] {
	return readFileSync(new URL(file, folder), 'utf8')
		.split('\n')
		.filter((line) => line !== '');
}
