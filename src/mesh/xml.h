// Just enough XML for VTK files: one tag after the other with its attributes. No entities beyond
// the five of the standard, no nesting kept: the caller follows it.
#ifndef ST_MESH_XML_H
#define ST_MESH_XML_H

#include "base/text.h"
#include "mesh/scan.h"

enum { ST_XML_ATTRIBUTE_MAX = 24 };

typedef struct StXmlAttribute {
  StSpan name, value; // as written
} StXmlAttribute;

typedef struct StXmlTag {
  StSpan name;
  bool closing; // </name>
  bool empty;   // <name/>
  int attribute_count;
  StXmlAttribute attribute[ST_XML_ATTRIBUTE_MAX];
} StXmlTag;

// The next tag, past text, comments and declarations; the scan then stands right behind it. *found
// is false at the end of the file.
StStatus st_xml_next(StScan *scan, StXmlTag *tag, bool *found);

// Value of an attribute; length 0 when it is not there.
StSpan st_xml_attribute(const StXmlTag *tag, const char *name);

// As the value of an attribute or as text.
void st_xml_add_escaped(StText *text, const char *name);

#endif
