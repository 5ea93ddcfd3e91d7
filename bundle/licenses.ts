// The licenses of the packages in the bundle; most of them require a copy beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** `modules`: the bundled files. */
export function readLicenses(modules: Iterable<string>): string {
	const folders = new Set([...modules].flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));
	return [...folders].map(describePackage).toSorted().join('\n');
}

function describePackage(folder: string): string {
	const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)(?:\.|$)/i.test(file));
	const texts = files.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
	return `${'-'.repeat(80)}\n${name} ${version}, ${license}\n${texts.join('')}`;
}
