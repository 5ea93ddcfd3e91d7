// The MCP servers that the user trusts, by project. Kept in Roost's home, so that no repository can grant itself trust.
import { join } from 'node:path';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from './home.ts';

const trustedServer = z.object({
	/** The main worktree. */
	project: z.string().min(1),
	name: z.string().min(1),
	/** Of its configuration: a changed server is no longer trusted. */
	hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TrustedServer = z.infer<typeof trustedServer>;

const trustFile = z.object({ trusted: z.array(trustedServer) });

export type McpTrust = {
	list(project: string): Result<TrustedServer[]>;
	trust(project: string, name: string, hash: string): Result<void>;
	/** False if it was not trusted. */
	untrust(project: string, name: string): Result<boolean>;
	/** Without a readable file nothing is trusted. */
	isTrusted(project: string, name: string, hash: string): boolean;
};

/** Below the size limit of `readPrivateFile`. */
const LARGEST_BYTES = 60 * 1024;

export function createMcpTrust(home: Pick<Home, 'data'>): McpTrust {
	const path = join(home.data, 'mcp-trust.json');

	function read(): Result<TrustedServer[]> {
		const text = readPrivateFile(path);
		if (!text.ok) return text;
		return text.value === null ? ok([]) : parse(text.value, path);
	}

	function write(trusted: readonly TrustedServer[]): Result<void> {
		const text = `${JSON.stringify({ trusted })}\n`;
		if (Buffer.byteLength(text) > LARGEST_BYTES) {
			return err(new AppError('too_large', 'Too many MCP servers are trusted. Remove some with "roost mcp untrust <name>".'));
		}
		return replacePrivateFile(path, text);
	}

	return {
		list(project) {
			const all = read();
			return all.ok ? ok(all.value.filter((each) => each.project === project)) : all;
		},
		trust(project, name, hash) {
			const all = read();
			return all.ok ? write([...all.value.filter((each) => !isSame(each, project, name)), { project, name, hash }]) : all;
		},
		untrust(project, name) {
			const all = read();
			if (!all.ok) return all;
			const left = all.value.filter((each) => !isSame(each, project, name));
			if (left.length === all.value.length) return ok(false);
			const written = write(left);
			return written.ok ? ok(true) : written;
		},
		isTrusted(project, name, hash) {
			const all = read();
			return all.ok && all.value.some((each) => isSame(each, project, name) && each.hash === hash);
		},
	};
}

function isSame(each: TrustedServer, project: string, name: string): boolean {
	return each.project === project && each.name === name;
}

function parse(text: string, path: string): Result<TrustedServer[]> {
	try {
		return ok(trustFile.parse(JSON.parse(text)).trusted);
	} catch (cause) {
		return err(new AppError('corrupt', `${path} cannot be read. Remove it and trust your MCP servers again.`, { cause }));
	}
}
