// Edits JSON as text: every other byte of a user's file stays.
import { ok, type Result } from '@roost/protocol/result';
import { parseBoundedJson } from '../hooks/bounded-json.ts';

export type JsonNode = { type: 'object' | 'list' | 'scalar'; start: number; end: number; children: JsonChild[] };
/** Starts with its key where it has one. */
export type JsonChild = { start: number; end: number; key: string; node: JsonNode };

export function locateJson(text: string): Result<JsonNode> {
	const parsed = parseBoundedJson(text);
	return parsed.ok ? ok(readNode(text, skipSpace(text, 0))) : parsed;
}

/** The last of that name counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
	return node?.children.findLast((child) => child.key === key)?.node;
}

export function valueAt(text: string, node: JsonNode): unknown {
	return JSON.parse(text.slice(node.start, node.end));
}

/** Adds a member (with a key) or an item at the end, formatted like its neighbours. */
export function appendChild(text: string, parent: JsonNode, addition: { key?: string; value: unknown }): string {
	const last = parent.children.at(-1);
	const gap = last ? text.slice(text.slice(0, last.start).trimEnd().length, last.start) : '';
	const label = addition.key === undefined ? '' : `${JSON.stringify(addition.key)}:`;
	if (last ? !gap.includes('\n') : isWithinOneLine(text, parent)) {
		const inline = `${label}${JSON.stringify(addition.value)}`;
		return last ? insert(text, last.end, `,${gap}${inline}`) : fill(text, parent, inline);
	}
	const eol = text.includes('\r\n') ? '\r\n' : '\n';
	const unit = indentUnit(text);
	const outer = lineIndent(text, parent.start);
	const indent = last ? gap.slice(gap.lastIndexOf('\n') + 1) : outer + unit;
	const value = JSON.stringify(addition.value, null, unit).replaceAll('\n', `${eol}${indent}`);
	const line = `${eol}${indent}${label}${label && ' '}${value}`;
	return last ? insert(text, last.end, `,${line}`) : fill(text, parent, `${line}${eol}${outer}`);
}

/** Removes nodes with their commas and spaces, and what becomes empty; null where nothing is left. */
export function textWithout(text: string, node: JsonNode, unwanted: ReadonlySet<JsonNode>): string | null {
	if (unwanted.has(node)) return null;
	const parts: string[] = [];
	let at = node.children[0]?.start ?? node.end;
	const opening = text.slice(node.start, at);
	for (const child of node.children) {
		const value = textWithout(text, child.node, unwanted);
		if (value !== null) parts.push(text.slice(parts.length === 0 ? child.start : at, child.node.start) + value);
		at = child.end;
	}
	if (node.children.length > 0 && parts.length === 0) return null;
	return opening + parts.join('') + text.slice(at, node.end);
}

function insert(text: string, at: number, addition: string): string {
	return text.slice(0, at) + addition + text.slice(at);
}

function fill(text: string, parent: JsonNode, inside: string): string {
	return text.slice(0, parent.start + 1) + inside + text.slice(parent.end - 1);
}

/** For an empty parent: a file on one line stays on one line. */
function isWithinOneLine(text: string, node: JsonNode): boolean {
	const before = text.slice(0, node.start);
	return before.trim() !== '' && !before.includes('\n');
}

function lineIndent(text: string, at: number): string {
	const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
	return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Indentation of the first member. */
function indentUnit(text: string): string {
	return /^\s*\{[ \t\r]*\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

/** From here on the text is valid JSON. */
function readNode(text: string, start: number): JsonNode {
	const open = text[start];
	if (open === '{') return readChildren(text, start, 'object');
	if (open === '[') return readChildren(text, start, 'list');
	const end = open === '"' ? stringEnd(text, start) : literalEnd(text, start);
	return { type: 'scalar', start, end, children: [] };
}

function readChildren(text: string, start: number, type: 'object' | 'list'): JsonNode {
	const children: JsonChild[] = [];
	let at = skipSpace(text, start + 1);
	while (text[at] !== '}' && text[at] !== ']') {
		const child = readChild(text, at, type);
		children.push(child);
		at = skipSpace(text, child.end);
		if (text[at] === ',') at = skipSpace(text, at + 1);
	}
	return { type, start, end: at + 1, children };
}

function readChild(text: string, start: number, parent: 'object' | 'list'): JsonChild {
	if (parent === 'list') {
		const node = readNode(text, start);
		return { start, end: node.end, key: '', node };
	}
	const keyEnd = stringEnd(text, start);
	const node = readNode(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
	return { start, end: node.end, key: String(JSON.parse(text.slice(start, keyEnd))), node };
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
	return at;
}

function literalEnd(text: string, start: number): number {
	let at = start;
	while (/[\w+.-]/.test(text[at] ?? ' ')) at++;
	return at;
}

function stringEnd(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}
