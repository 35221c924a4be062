import { describe, expect, it } from 'vitest';
import { PLANE_HEIGHT, PLANE_WIDTH, regionCoordinatesList } from '#protocol/definitions/fields.ts';
import { readPoints } from '#protocol/corners.ts';
import type { Constraints } from '#protocol/index.ts';
import {
  hasCrossingSides,
  mirrorPoint,
  clampPoint,
  movePoint,
  getPlane,
  addCorner,
} from '#renderer/common/forms/regions/region-plane.ts';

const plane = { width: 1000, height: 500 };

describe('the normalized plane', () => {
  it('has the size that the device reports, and the usual one for nonsense', () => {
    const corners = regionCoordinatesList;
    const sized = (width: number, height: number): Constraints =>
      new Map([
        [PLANE_WIDTH, { state: 'reported', text: String(width) }],
        [PLANE_HEIGHT, { state: 'reported', text: String(height) }],
      ]);

    expect(getPlane(corners, 'RegionCoordinatesList', sized(704, 576))).toEqual({ width: 704, height: 576 });
    expect(getPlane(corners, 'RegionCoordinatesList', sized(1920, 1080))).toEqual({
      width: 1920,
      height: 1080,
    });
    expect(getPlane(corners, 'RegionCoordinatesList', sized(0, 1e12))).toEqual({ width: 1000, height: 1000 });
    expect(getPlane(corners, 'RegionCoordinatesList', undefined)).toEqual({ width: 1000, height: 1000 });
  });

  it('counts from the bottom left', () => {
    expect(mirrorPoint({ x: 10, y: 0 }, plane)).toEqual({ x: 10, y: 500 });
    expect(movePoint({ x: 10, y: 10 }, 'ArrowUp', 5, plane)).toEqual({ x: 10, y: 15 });
  });

  it('keeps corners inside and whole', () => {
    expect(clampPoint({ x: -3, y: 500.6 }, plane)).toEqual({ x: 0, y: 500 });
    expect(movePoint({ x: 998, y: 0 }, 'ArrowRight', 5, plane)).toEqual({ x: 1000, y: 0 });
    expect(movePoint({ x: 0, y: 0 }, 'Enter', 5, plane)).toBeUndefined();
  });

  it('adds a corner in the middle of the longest side, and a triangle to nothing', () => {
    const square = [
      { x: 0, y: 0 },
      { x: 1000, y: 0 },
      { x: 1000, y: 100 },
      { x: 0, y: 100 },
    ];

    expect(addCorner(square, plane)[1]).toEqual({ x: 500, y: 0 });
    expect(addCorner([], plane)).toHaveLength(3);
  });

  it('draws what cannot be drawn at the origin, so that every entry keeps its number', () => {
    expect(readPoints([{ positionX: 'x' }, { positionX: 5, positionY: 6 }])).toEqual([
      { x: 0, y: 0 },
      { x: 5, y: 6 },
    ]);
  });

  it('notices an outline that crosses itself', () => {
    expect(
      hasCrossingSides([
        { x: 0, y: 0 },
        { x: 10, y: 10 },
        { x: 10, y: 0 },
        { x: 0, y: 10 },
      ]),
    ).toBe(true);
    expect(
      hasCrossingSides([
        { x: 0, y: 0 },
        { x: 10, y: 0 },
        { x: 10, y: 10 },
        { x: 0, y: 10 },
      ]),
    ).toBe(false);
  });
});
