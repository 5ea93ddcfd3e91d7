// A script for a page: `renders` counts how often its feed was rendered. Each render measures the rows, whatever it changed.
export const COUNT_RENDERS = `
	window.renders = 0;
	const measure = Element.prototype.getBoundingClientRect;
	let isCounted = false;
	Element.prototype.getBoundingClientRect = function () {
		if (!isCounted) {
			isCounted = true;
			window.renders++;
			queueMicrotask(() => { isCounted = false; });
		}
		return measure.call(this);
	};
`;
