import { describe, expect, it } from 'vitest';
import { onlyEdits } from './scripts.ts';

describe('sed script', () => {
	it.each([
		'p',
		'10,20p',
		'$d',
		'$!N;P;D',
		'1~2d',
		'/a/,/b/p',
		'/a\\/w x/d',
		'/[a-z]*/Id',
		's/a/b/',
		's/a/b/gI;s|c/d|e|2p',
		's/[a-z]*\\/w x/y/g',
		's/w/e/',
		'y/abc/xyz/',
		'/x/{s/a/b/;p}',
		'/x/!d',
		'a hello; w not a command',
		'1i\\\nhello\np',
		':a;N;$!ba;s/\\n/ /g',
		'# w x\np',
		'5q',
		'',
	])('is recognized as harmless if it only edits: %j', (script) => {
		expect(onlyEdits(script)).toBe(true);
	});

	it.each([
		'w x',
		'1w x',
		'/a/w x',
		'/a/,$ w x',
		'p;w x',
		'p\nw x',
		'{w x\n}',
		'/a/!w x',
		's/a/b/w x',
		's/a/b/gw x',
		's/a/b/e',
		's/a/b/ge;p',
		's|a|b|w x',
		'e',
		'1e rm x',
		'W x',
		'r x',
		'R x',
		'a x\nw y',
		'1i\\\nx\nw y',
		'# x\nw y',
		's/a/b',
		's/[/a/;p;#]/x/w y',
		's/[/]/x/',
		'/[/]p;#]/w y',
		'\\,a,w x',
		'sxaxbxw y',
		'=;w x',
		'ba;w x',
		'}w x',
	])('is not recognized as harmless if it may write files or run commands: %j', (script) => {
		expect(onlyEdits(script)).toBe(false);
	});
});
