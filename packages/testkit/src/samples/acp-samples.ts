// Recorded ACP messages of six agents: updates and permission requests.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./acp/', import.meta.url);

export type AcpSample = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

/** By the name of the agent's program. */
export function readAcpSamples(): ReadonlyMap<string, readonly AcpSample[]> {
	const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
	return new Map(files.sort().map((file) => [file.replace('.jsonl', ''), readLines(file)]));
}

function readLines(file: string): AcpSample[] {
	const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
	return lines.map((line) => {
		const { method, params } = JSON.parse(line);
		return { method, params };
	});
}
