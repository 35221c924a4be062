/** The normalized plane of a device (part 3, 2.1, 2.6): no corner lies outside of it. */
import type { Model } from '../kinds/models.ts';
import type { XmlNode } from '../wire/xml-reader.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
}

export function getPlane({ model }: { readonly model: Model }): Plane {
  return model === 'compact' ? { width: 1280, height: 1024 } : { width: 1000, height: 1000 };
}

/** Returns the size in the form of a document. */
export function formatPlaneSize(device: { readonly model: Model }): string {
  const { width, height } = getPlane(device);
  return `<normalizedScreenSize>
        <normalizedScreenWidth>${width}</normalizedScreenWidth>
        <normalizedScreenHeight>${height}</normalizedScreenHeight>
    </normalizedScreenSize>`;
}

/** Finds the element outside of the plane, anywhere inside `node`. */
export function findOutsidePlane(node: XmlNode | undefined, plane: Plane): string | undefined {
  for (const child of node?.children ?? []) {
    const most =
      child.name === 'positionX' || child.name === 'width'
        ? plane.width
        : child.name === 'positionY' || child.name === 'height'
          ? plane.height
          : undefined;
    if (most !== undefined && Number(child.text) > most) return `${child.name} is above ${most}.`;
    const inside = findOutsidePlane(child, plane);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
