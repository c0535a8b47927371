-- One editing session in Neovim: does what its user would do and prints what its user would see.
-- Arguments: the configuration from docs/editors/neovim.md, the file to edit.
local configuration, file = _G.arg[1], _G.arg[2]
local seen = {}

local function wait_for(what, condition)
  if not vim.wait(120000, condition, 20) then error("waited in vain for " .. what) end
end

local function hints()
  local by_line = {}
  for _, each in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = each.inlay_hint.label
    if type(label) == "table" then
      label = table.concat(vim.tbl_map(function(part) return part.value end, label))
    end
    by_line[tostring(each.inlay_hint.position.line + 1)] =
      { label = label, column = each.inlay_hint.position.character }
  end
  return by_line
end

-- Hints are asked for again after each change, so they are those of the text once they are stable.
local function settled_hints()
  local before
  wait_for("hints", function()
    local now = vim.json.encode(hints())
    if now ~= "[]" and now ~= "{}" and now == before then return true end
    before = now
    vim.wait(300)
    return false
  end)
  return hints()
end

local function diagnostics()
  return vim.tbl_map(function(each)
    return { rule = each.code, source = each.source, line = each.lnum + 1,
             from = each.col, to = each.end_col }
  end, vim.diagnostic.get(0))
end

local function hover(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  vim.lsp.buf.hover()
  local text
  wait_for("a hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local buffer = vim.api.nvim_win_get_buf(window)
        text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
  return text
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
end

vim.cmd("filetype on")
dofile(configuration)
vim.cmd.edit(vim.fn.fnameescape(file))
wait_for("the server", function()
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client and client.initialized
end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
seen.encoding = client.offset_encoding
seen.hints = settled_hints()

wait_for("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
seen.diagnostics = diagnostics()
seen.hover = hover(1, 0)
seen.hover_after_emoji = hover(2, #"🙂 漢字 ")

-- Type behind characters that are one, two and four bytes long.
vim.api.nvim_win_set_cursor(0, { 2, 0 })
vim.cmd.normal({ "A and é more 🙂", bang = true })
seen.typed_text = text()
seen.typed_hints = settled_hints()

local found = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
local before = text()
vim.lsp.buf.code_action({ apply = true, context = {
  only = { "source.fixAll.promptls" }, diagnostics = {} } })
wait_for("the fix", function() return text() ~= before end)
seen.fixed_text = text()
wait_for("one diagnostic", function() return #vim.diagnostic.get(0) == 1 end)

client:stop()
wait_for("the server's end", function() return client:is_stopped() end)
io.stdout:write(vim.json.encode(seen))
vim.cmd.quitall({ bang = true })
