// Maps stack traces of the bundle to the sources. Maps are read only when a trace is printed.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | null>();

export function toSourceStack(error: Error, frames: readonly NodeJS.CallSite[]): string {
	return [String(error), ...frames.map((frame) => `    at ${toSourceFrame(String(frame))}`)].join('\n');
}

function toSourceFrame(frame: string): string {
	return frame.replace(/(file:\/\/\/[^():]+\.js):(\d+):(\d+)/, (found, url: string, line: string, column: string) => {
		const file = fileURLToPath(url);
		const entry = readMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
		if (!entry || !('originalSource' in entry)) return found;
		return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
	});
}

function readMap(file: string): SourceMap | null {
	const known = maps.get(file);
	if (known !== undefined) return known;
	const map = loadMap(file);
	maps.set(file, map);
	return map;
}

function loadMap(file: string): SourceMap | null {
	try {
		return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
	} catch {
		// Not a file of the bundle.
		return null;
	}
}
