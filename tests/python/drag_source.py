"""A small window that can be dragged from: a file of the file manager, without the file manager.

Usage: drag_source.py FILE. It prints `ready` once it can be dragged; the window lies in the upper left corner.
"""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def main():
    uri = pathlib.Path(sys.argv[1]).resolve().as_uri()
    box = Gtk.EventBox()
    box.add(Gtk.Label(label="drag me"))
    box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    box.drag_source_add_uri_targets()
    box.connect("drag-data-get", lambda _box, _context, data, _info, _time: data.set_uris([uri]))
    window = Gtk.Window(title="drag source", decorated=False)
    window.set_default_size(160, 60)
    window.set_keep_above(True)
    window.add(box)
    window.move(0, 0)
    window.connect("map-event", lambda *_: GLib.idle_add(print, "ready", flush=True) and False)
    window.show_all()
    Gtk.main()


main()
