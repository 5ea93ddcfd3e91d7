// Parses one CLAUDE.md as Claude Code does: content without header and comments, and its imports. Pure.

export function readInstruction(text: string) {
	const { header, body } = splitHeader(text.replaceAll('\r\n', '\n'));
	const lines = withoutComments(body.split('\n'));
	const prose = withoutCode(lines);
	return {
		content: lines.join('\n').trim(),
		/** File patterns from the header; empty where it applies everywhere. */
		paths: readPaths(header),
		/** As written after `@`, without duplicates. */
		imports: [...new Set(prose.flatMap((line) => findImports(withoutSpans(line))))],
	};
}

function splitHeader(text: string): { header: string; body: string } {
	const match = /^---[ \t]*\n(?<header>(?:.*\n)*?)---[ \t]*(?:\n|$)/.exec(text);
	return match ? { header: match.groups?.header ?? '', body: text.slice(match[0].length) } : { header: '', body: text };
}

/** `paths` as text, inline list or block list. */
function readPaths(header: string): string[] {
	const lines = header.split('\n');
	const at = lines.findIndex((line) => line.startsWith('paths:'));
	if (at < 0) return [];
	const below = lines.slice(at + 1);
	const end = below.findIndex((line) => !/^\s*-\s/.test(line));
	const items = (end < 0 ? below : below.slice(0, end)).map((line) => line.replace(/^\s*-\s+/, ''));
	const inline = (lines[at] ?? '').slice('paths:'.length).replace(/^\s*\[|\]\s*$/g, '');
	const patterns = [...inline.split(','), ...items].map((pattern) => pattern.trim().replaceAll(/^["']|["']$/g, ''));
	const named = patterns.map((pattern) => pattern.replace(/\/\*\*$/, '')).filter(Boolean);
	return named.every((pattern) => pattern === '**') ? [] : named;
}

type Fence = { mark: string; length: number };

/** Removes comments at the start of a line; inline and unterminated comments stay. */
function withoutComments(lines: readonly string[]): string[] {
	const kept: string[] = [];
	const lastEnd = lines.findLastIndex((line) => line.includes('-->'));
	let fence: Fence | undefined;
	let comment: string[] | undefined;
	for (const [at, line] of lines.entries()) {
		if (!comment) {
			fence = nextFence(line, fence);
			if (fence || at > lastEnd || !/^ {0,3}<!--/.test(line)) kept.push(line);
			else comment = [];
		}
		if (!comment) continue;
		comment.push(line);
		if (!line.includes('-->')) continue;
		const rest = comment.join('\n').replace(/<!--[\s\S]*?-->/, '');
		if (rest.trim() !== '') kept.push(rest);
		comment = undefined;
	}
	return kept;
}

function withoutCode(lines: readonly string[]): string[] {
	let fence: Fence | undefined;
	let afterBlank = true;
	let inList = false;
	return lines.filter((line) => {
		const inside = fence !== undefined;
		fence = nextFence(line, fence);
		if (inside || fence) return false;
		if (/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) inList = true;
		else if (/^\S/.test(line)) inList = false;
		const indented = /^(?: {4}|\t)/.test(line);
		const isCode = indented && afterBlank && !inList;
		afterBlank = line.trim() === '' || isCode;
		return !isCode;
	});
}

function nextFence(line: string, open: Fence | undefined): Fence | undefined {
	const match = /^\s{0,3}(?:[-*+>]\s+)*(?<run>`{3,}|~{3,})(?<rest>.*)$/.exec(line);
	const run = match?.groups?.run;
	if (run === undefined) return open;
	const mark = run[0] ?? '';
	const rest = match?.groups?.rest ?? '';
	if (open) return mark === open.mark && run.length >= open.length && rest.trim() === '' ? undefined : open;
	return mark === '`' && rest.includes('`') ? undefined : { mark, length: run.length };
}

/** Linear time: a line may be long and hostile. A span ends with as many ticks as it began with. */
function withoutSpans(line: string): string {
	const runs = [...line.matchAll(/`+/g)].map(({ index, 0: ticks }) => ({ at: index, end: index + ticks.length }));
	const closing = new Map<number, number>();
	const nextLike = runs.map(() => -1);
	for (const [index, { at, end }] of [...runs.entries()].reverse()) {
		nextLike[index] = closing.get(end - at) ?? -1;
		closing.set(end - at, index);
	}
	let kept = '';
	let from = 0;
	for (let index = 0; index < runs.length; index += 1) {
		const close = nextLike[index] ?? -1;
		if (close < 0) continue;
		kept += `${line.slice(from, runs[index]?.at)}x`;
		from = runs[close]?.end ?? line.length;
		index = close;
	}
	return kept + line.slice(from);
}

const IMPORT = /(?:^|\s|(?<open>\*{1,3}|_{1,3}|\[))@(?<path>(?:[^\s\\]|\\ )+)/g;

function findImports(line: string): string[] {
	return [...line.matchAll(IMPORT)].flatMap(({ groups }) => {
		const open = groups?.open ?? '';
		const written = untilClosed(groups?.path ?? '', open);
		const path = (written.split('#')[0] ?? '').replaceAll('\\ ', ' ');
		return /^(?:\.\/|~\/|\/.|[A-Za-z0-9._-])/.test(path) ? [path] : [];
	});
}

function untilClosed(path: string, open: string): string {
	if (open === '') return path;
	const end = path.indexOf(open === '[' ? ']' : open);
	return end < 0 ? path : path.slice(0, end);
}
