// The hash chain of a stream: each hash covers the line and, through the hash before it, everything earlier.
import { hash } from 'node:crypto';

/** The hash before the first line of a stream; it differs by stream, so lines cannot move between streams. */
export function genesisHash(stream: string): string {
	return hash('sha256', `roost stream\n${stream}`);
}

export function nextHash(previous: string, line: string): string {
	return hash('sha256', `${previous}\n${line}`);
}
