import { test } from "uvu";
import * as assert from "uvu/assert";

import { METHODS } from "#runtime/routing/route";
import { closest } from "../diagnostics/closest.ts";
import { parseHandlerName } from "./naming.ts";
import { suggestHandlerName, suggestMethodExport } from "./near-miss.ts";
import { isBadName } from "./segments.ts";

test("a name that nearly is a handler name is told what was probably meant", () => {
  const cases: [string, string][] = [
    ["gte_all", "get_all"],
    ["egt_all", "get_all"],
    ["gett_all", "get_all"],
    ["GET_all", "get_all"],
    ["Get_all", "get_all"],
    ["psot_x", "post_x"],
    ["posst_x", "post_x"],
    ["ptach_x", "patch_x"],
    ["delte_x", "delete_x"],
    ["dlete_x", "delete_x"],
    ["delate_x", "delete_x"],
    ["deleet_x", "delete_x"],
    ["opitons_x", "options_x"],
    ["getAll", "get_all"],
    ["GetAll", "get_all"],
    ["getById", "get_by_id"],
    ["getByID", "get_by_id"],
    ["postHTMLPage", "post_html_page"],
    ["deleteItem", "delete_item"],
    ["fetch_all", "get_all"],
    ["retrieve_x", "get_x"],
    ["list_items", "get_items"],
    ["create_item", "post_item"],
    ["update_item", "put_item"],
    ["remove_item", "delete_item"],
    ["destroy_item", "delete_item"],
    ["del_item", "delete_item"],
    ["get", "get_index"],
    ["POST", "post_index"],
    ["del", "delete_index"],
  ];
  for (const [name, meant] of cases) {
    assert.is(suggestHandlerName(name), meant, name);
    assert.not(isBadName(parseHandlerName(meant)), meant);
  }
});

test("words that may well mean themselves are left alone", () => {
  const names =
    "set_x let_x pet_shop path_to port_of cut_x out_x past_x most_x read_x load_x lead_x  " +
    "posts_by_user getter getaway posting putty headline format_date helper _get get$x a_get toGet isHead " +
    "authenticate validate_body x _ __ $ add_numbers position_of gt_x pt_x had_x";
  for (const name of names.split(" ")) assert.is(suggestHandlerName(name), undefined, name);
});

test("in a route file the method alone is meant", () => {
  const cases: [string, string | undefined][] = [
    ["GET", "GET"],
    ["Post", "POST"],
    ["DELETE", "DELETE"],
    ["gte", "GET"],
    ["get_index", "GET"],
    ["post_item", "POST"],
    ["default", undefined],
    ["loader", undefined],
    ["fetch_all", undefined],
    ["helper", undefined],
  ];
  for (const [name, meant] of cases) assert.is(suggestMethodExport(name), meant, name);
});

test("the closest candidate is near in letters, or there is none", () => {
  const keys = ["host", "port", "body_limit", "headers_timeout"];
  const cases: [string, string | undefined][] = [
    ["prot", "port"],
    ["PORT", "port"],
    ["hosst", "host"],
    ["body_limt", "body_limit"],
    ["bodyLimit", "body_limit"],
    ["body-limit", "body_limit"],
    ["header_timeout", "headers_timeout"],
    ["zzz", undefined],
    ["", undefined],
    ["x".repeat(1_000_000), undefined],
  ];
  for (const [word, nearest] of cases) assert.is(closest(word, keys), nearest, word.slice(0, 20));
  assert.is(closest("x", METHODS), undefined);
});

test.run();
