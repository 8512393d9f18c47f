import type { Request } from "framework";

interface Product {
  id: number;
  name: string;
  price: number;
  featured: boolean;
}

const products: Product[] = [
  { id: 1, name: "Notebook", price: 4.5, featured: true },
  { id: 2, name: "Pencil", price: 1.2, featured: false },
];

// GET /products/
export function get_index(): { count: number } {
  return { count: products.length };
}

// POST /products/
export async function post_index(request: Request) {
  const { name, price = 0 } = (await request.json()) ?? {};
  if (typeof name !== "string" || name === "")
    return [{ error: "name is required" }, 400];
  if (typeof price !== "number")
    return [{ error: "price must be a number" }, 400];
  const product: Pick<Product, "name" | "price"> = { name, price };
  return [{ product }, 201];
}

// GET /products/all
export function get_all() {
  return { products };
}

// GET /products/featured/items
export function get_featured_items(): { items: Product[] } {
  return { items: products.filter((product) => product.featured) };
}

// DELETE /products/item
export function delete_item() {
  return { deleted: true };
}
