// Resolves `.`, `..` and doubled slashes in a path by its text alone; leading `..` of a relative path stay.

export function normalisePath(path: string): string {
	const absolute = path.startsWith('/');
	const segments: string[] = [];
	for (const segment of path.split('/')) {
		if (segment === '' || segment === '.') continue;
		if (segment !== '..') segments.push(segment);
		else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
		else if (!absolute) segments.push('..');
	}
	const joined = segments.join('/');
	return absolute ? `/${joined}` : joined || '.';
}
