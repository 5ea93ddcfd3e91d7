// How a changing command of the CLI ended: in its own words, and whether that is a failure of a kind we know.
import { parseJson } from '@roost/core/display/parse-json';
import { z } from 'zod';
import type { CliExit, CommandOutcome } from '../../base/agent-cli.ts';

export function readOutcome(exit: CliExit): CommandOutcome {
	const said = readResultLine(exit.stdout);
	const failed = exit.code !== 0 || said?.outcome === 'failed';
	if (!failed) return { ok: true, output: said?.message ?? exit.stdout.trim() };
	const words = said?.message ?? wordsOf(exit);
	if (said?.shownCommand) return { ok: false, kind: 'needs_consent', words: toConsent(words, said.shownCommand) };
	return { ok: false, kind: KINDS[said?.failureCode ?? ''] ?? kindOfText(words), words };
}

/** With `--json` the last line is the result; older versions and `claude mcp` say everything in words. */
const resultLine = z.object({
	outcome: z.string(),
	message: z.string(),
	failureCode: z.string().optional(),
	shownCommand: z.looseObject({ sha256: z.string() }).optional(),
});

function readResultLine(stdout: string): z.infer<typeof resultLine> | undefined {
	const parsed = resultLine.safeParse(parseJson(stdout.trim().split('\n').at(-1) ?? ''));
	return parsed.success ? parsed.data : undefined;
}

function wordsOf({ stdout, stderr }: CliExit): string {
	const words = stderr.trim() || stdout.trim();
	return words.replace(/^✘ /, '') || 'nothing at all';
}

function toConsent(words: string, { sha256, ...shown }: { sha256: string }): string {
	return `${words} It would run ${JSON.stringify(shown)}, whose sha256 is ${sha256}.`;
}

const KINDS: Record<string, 'not_found' | 'conflict' | undefined> = {
	not_found: 'not_found',
	not_installed: 'not_found',
	not_configured: 'not_found',
	already_in_goal_state: 'conflict',
};

function kindOfText(words: string): 'not_found' | 'conflict' | 'unknown_option' | 'failed' {
	if (/^No MCP server named /.test(words)) return 'not_found';
	if (/^MCP server \S+ already exists /.test(words)) return 'conflict';
	return /^error: unknown option /.test(words) ? 'unknown_option' : 'failed';
}
